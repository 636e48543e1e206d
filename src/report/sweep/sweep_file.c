#include "report/sweep/sweep_file.h"

#include "base/growing_array.h"

#include <stdlib.h>

sweep_row *sweep_file_new_row(sweep_file *f, attcert_error *err) {
  if (f->initialised > f->count) return &f->rows[f->count];
  if (growing_array_room(&f->rows, &f->capacity, (size_t)f->count, sizeof *f->rows, err, "the table of %s",
                         f->file.path) != ATTCERT_OK)
    return NULL;
  sweep_row_init(&f->rows[f->initialised++]);
  return &f->rows[f->count];
}

bool sweep_file_has(const sweep_file *f, int n, int sequence) {
  for (int i = 0; i < f->count; i++) {
    if (f->rows[i].n == n && f->rows[i].sequence == sequence) return true;
  }
  return false;
}

static void put_row(FILE *out, const void *row) {
  sweep_row_write(out, row);
}

attcert_status sweep_file_append(sweep_file *f, attcert_error *err) {
  const attcert_status status = row_file_append(&f->file, put_row, &f->rows[f->count], err);
  if (status == ATTCERT_OK) f->count++;
  return status;
}

static attcert_status read_row(void *file, const char *line, const char *where, attcert_error *err) {
  sweep_file *const f = file;
  sweep_row *const row = sweep_file_new_row(f, err);
  if (row == NULL) return ATTCERT_RESOURCE;
  const attcert_status status = sweep_row_read(row, line, where, err);
  if (status != ATTCERT_OK) return status;
  if (sweep_file_has(f, row->n, row->sequence))
    return attcert_fail(err, ATTCERT_INPUT, "%s: n = %d, sequence %d for a second time, expected it once", where,
                        row->n, row->sequence);
  f->count++;
  return ATTCERT_OK;
}

attcert_status sweep_file_open(sweep_file *f, const char *path, const char *header, attcert_error *err) {
  const row_file_rows rows = {"sweep", header, sweep_row_write_names, read_row, f};
  *f = (sweep_file){.file = {.path = path, .descriptor = -1}};
  const attcert_status status = row_file_open(&f->file, path, &rows, err);
  if (status != ATTCERT_OK) sweep_file_close(f);
  return status;
}

void sweep_file_close(sweep_file *f) {
  for (int i = 0; i < f->initialised; i++) sweep_row_clear(&f->rows[i]);
  free(f->rows);
  row_file_close(&f->file);
  *f = (sweep_file){.file = {.descriptor = -1}};
}
