#include "linalg/panel/panel_store.h"

#include "base/arrays.h"
#include "base/process_group.h"

#include <stdlib.h>

static int window_end(const panels *a, const panel_storage *storage, int first) {
  return storage->file == NULL ? a->count : panels_window_end(a, first, storage->window_bytes);
}

uint64_t panel_store_buffer_bytes(const panels *a, bool file) {
  return file || a->size > 1 ? panels_bytes(a, 0) : 0;
}

uint64_t panel_store_file_bytes(const panels *a) {
  return panels_share_bytes(a, 0, a->count);
}

double panel_store_read_bytes(const panels *a, uint64_t window_bytes) {
  double doubles = 0.0;
  for (int first = panels_window_end(a, 0, window_bytes); first < a->count;
       first = panels_window_end(a, first, window_bytes))
    doubles += (double)panel_rows(a, first) * (double)panel_first(a, first);
  return doubles * sizeof(double);
}

attcert_status panel_store_init(panel_store *s, int n, const panel_storage *storage, attcert_error *err) {
  *s = (panel_store){.storage = *storage};
  attcert_status status = panels_init(&s->a, n, storage->group, err);
  const panels *const a = &s->a;
  const bool file = status == ATTCERT_OK && window_end(a, storage, 0) < a->count;
  const uint64_t bytes = panel_store_buffer_bytes(a, file);
  if (file) status = panel_file_reserve(storage->file, panel_store_file_bytes(a), err);
  if (bytes > 0 && (s->buffer = array_new(bytes, 1, err, "a panel of %d rows", n)) == NULL) status = ATTCERT_RESOURCE;
  if (status != ATTCERT_OK) panel_store_clear(s);
  return status;
}

void panel_store_clear(panel_store *s) {
  panels_clear(&s->a);
  free(s->buffer);
  s->buffer = NULL;
}

attcert_status panel_store_hold(panel_store *s, int first, attcert_error *err) {
  s->first = first;
  s->end = window_end(&s->a, &s->storage, first);
  return panels_hold(&s->a, s->first, s->end, err);
}

bool panel_store_is_last(const panel_store *s) {
  return s->end == s->a.count;
}

/* Where own panel p begins in the file, in doubles. */
static uint64_t file_offset(const panels *a, int p) {
  return panels_share_bytes(a, a->rank, p) / sizeof(double);
}

attcert_status panel_store_write(const panel_store *s, attcert_error *err) {
  const panels *const a = &s->a;
  attcert_status status = ATTCERT_OK;
  for (int p = s->first; p < s->end && status == ATTCERT_OK; p++)
    if (panel_is_own(a, p))
      status = panel_file_write(s->storage.file, file_offset(a, p), a->panel[p], panel_offset(a, p, a->n), err);
  return status;
}

/* Rows first_row ... of own panel p, read into the buffer if they are not in memory. */
static attcert_status own_rows(panel_part *part, const panel_store *s, int p, int first_row, attcert_error *err) {
  const panels *const a = &s->a;
  const size_t skipped = panel_offset(a, p, first_row);
  *part = (panel_part){s->buffer, first_row, panel_columns(a, p)};
  if (a->panel[p] == NULL)
    return panel_file_read(s->storage.file, file_offset(a, p) + skipped, s->buffer, panel_offset(a, p, a->n) - skipped,
                           err);
  part->data = a->panel[p] + skipped;
  return ATTCERT_OK;
}

attcert_status panel_store_own(panel_part *part, const panel_store *s, int p, attcert_error *err) {
  return own_rows(part, s, p, panel_first(&s->a, p), err);
}

attcert_status panel_store_fetch(panel_part *part, const panel_store *s, int p, int first_row, attcert_error *err) {
  const panels *const a = &s->a;
  const attcert_process_group *const group = s->storage.group;
  *part = (panel_part){s->buffer, first_row, panel_columns(a, p)};
  attcert_status status = panel_is_own(a, p) ? own_rows(part, s, p, first_row, err) : ATTCERT_OK;
  status = process_group_allreduce_status(group, status, err);
  const size_t count = panel_offset(a, p, a->n) - panel_offset(a, p, first_row);
  if (status == ATTCERT_OK) process_group_broadcast(group, part->data, count * sizeof(double), p % a->size);
  return status;
}
