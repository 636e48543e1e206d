/* See vocabulary.h: an array sorted by token; 16 comparisons find one of 50,000. */
#include "model/tokenizer/vocabulary/vocabulary.h"

#include "base/arrays.h"
#include "base/growing_array.h"
#include "model/format/json_file.h"
#include "model/tokenizer/text/text_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- building ---------------------------------------------------------------------------------------------------- */

attcert_status vocabulary_add(vocabulary *v, const char *token, size_t length, int id, const char *path,
                              attcert_error *err) {
  if (memchr(token, '\0', length) != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: the token with id %d holds a NUL character", path, id);
  const attcert_status room =
      growing_array_room(&v->entry, &v->capacity, v->count, sizeof *v->entry, err, "the list of tokens of %s", path);
  if (room != ATTCERT_OK) return room;
  char *const copy = array_new(length + 1, 1, err, "the token with id %d of %s", id, path);
  if (copy == NULL) return ATTCERT_RESOURCE;
  memcpy(copy, token, length);
  copy[length] = '\0';
  v->entry[v->count++] = (vocabulary_entry){copy, id};
  return ATTCERT_OK;
}

static int compare_tokens(const void *a, const void *b) {
  const vocabulary_entry *const x = a, *const y = b;
  const int order = strcmp(x->token, y->token);
  return order != 0 ? order : (x->id > y->id) - (x->id < y->id);
}

/* Keeps the last of entries with the same token, or refuses two. Those that go are swapped to the end. */
static attcert_status drop_repeated(vocabulary *v, bool last_wins, const char *path, attcert_error *err) {
  size_t kept = 0;
  for (size_t i = 0; i < v->count; i++) {
    const vocabulary_entry one = v->entry[i];
    if (kept == 0 || strcmp(one.token, v->entry[kept - 1].token) != 0) {
      v->entry[i] = v->entry[kept];
      v->entry[kept++] = one;
    } else if (last_wins) {
      v->entry[kept - 1].id = one.id;
    } else {
      return attcert_fail(err, ATTCERT_INPUT, "%s: token \"%.64s\" comes twice, with ids %d and %d", path, one.token,
                          v->entry[kept - 1].id, one.id);
    }
  }
  for (size_t i = kept; i < v->count; i++) free(v->entry[i].token);
  v->count = kept;
  return ATTCERT_OK;
}

static int compare_ids(const void *a, const void *b) {
  const int x = ((const vocabulary_entry *)a)->id, y = ((const vocabulary_entry *)b)->id;
  return (x > y) - (x < y);
}

static attcert_status sort_by_id(vocabulary *v, const char *path, attcert_error *err) {
  v->by_id = array_new(v->count, sizeof *v->by_id, err, "the list of %zu tokens of %s", v->count, path);
  if (v->by_id == NULL) return ATTCERT_RESOURCE;
  memcpy(v->by_id, v->entry, v->count * sizeof *v->by_id);
  qsort(v->by_id, v->count, sizeof *v->by_id, compare_ids);
  for (size_t i = 1; i < v->count; i++) {
    if (v->by_id[i].id == v->by_id[i - 1].id)
      return attcert_fail(err, ATTCERT_INPUT, "%s: tokens \"%.64s\" and \"%.64s\" have the same id %d", path,
                          v->by_id[i - 1].token, v->by_id[i].token, v->by_id[i].id);
  }
  return ATTCERT_OK;
}

/* The first entry of [low, high) whose byte at depth is at least this one. */
static size_t first_from(const vocabulary *v, size_t low, size_t high, size_t depth, int byte) {
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if ((unsigned char)v->entry[middle].token[depth] < byte)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

attcert_status vocabulary_finish(vocabulary *v, bool last_wins, const char *path, attcert_error *err) {
  if (v->count == 0) return attcert_fail(err, ATTCERT_INPUT, "%s: an empty vocabulary", path);
  qsort(v->entry, v->count, sizeof v->entry[0], compare_tokens);
  const attcert_status status = drop_repeated(v, last_wins, path, err);
  if (status != ATTCERT_OK) return status;
  for (int byte = 0; byte <= 256; byte++) v->first[byte] = first_from(v, 0, v->count, 0, byte);
  return sort_by_id(v, path, err);
}

void vocabulary_clear(vocabulary *v) {
  for (size_t i = 0; i < v->count; i++) free(v->entry[i].token);
  free(v->entry);
  free(v->by_id);
  *v = (vocabulary){.count = 0};
}

/* ---- looking up -------------------------------------------------------------------------------------------------- */

vocabulary_prefix vocabulary_all(const vocabulary *v) {
  return (vocabulary_prefix){.low = 0, .high = v->count};
}

bool vocabulary_descend(vocabulary_prefix *p, const vocabulary *v, char byte) {
  const int wanted = (unsigned char)byte;
  if (wanted == 0 || p->low == p->high) return false;
  if (p->depth == 0) {
    p->low = v->first[wanted];
    p->high = v->first[wanted + 1];
  } else {
    p->low = first_from(v, p->low, p->high, p->depth, wanted);
    p->high = first_from(v, p->low, p->high, p->depth, wanted + 1);
  }
  p->depth++;
  return p->low < p->high;
}

int vocabulary_at(const vocabulary *v, const vocabulary_prefix *p) {
  return p->low < p->high && v->entry[p->low].token[p->depth] == '\0' ? v->entry[p->low].id : -1;
}

int vocabulary_find(const vocabulary *v, const char *token, size_t length) {
  vocabulary_prefix p = vocabulary_all(v);
  for (size_t i = 0; i < length; i++) {
    if (!vocabulary_descend(&p, v, token[i])) return -1;
  }
  return vocabulary_at(v, &p);
}

int vocabulary_find_string(const vocabulary *v, const char *token) {
  return vocabulary_find(v, token, strlen(token));
}

const char *vocabulary_token(const vocabulary *v, int id) {
  const vocabulary_entry key = {.id = id};
  const vocabulary_entry *const found =
      v->count > 0 ? bsearch(&key, v->by_id, v->count, sizeof key, compare_ids) : NULL;
  return found != NULL ? found->token : NULL;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* The line that begins at `line`, without what ends it; returns where the next one begins. */
static const char *end_line(size_t *length, const char *line, const char *end) {
  const char *stop = line;
  while (stop < end && *stop != '\n' && *stop != '\r') stop++;
  *length = (size_t)(stop - line);
  if (stop < end) stop += end - stop > 1 && stop[0] == '\r' && stop[1] == '\n' ? 2 : 1;
  return stop;
}

static attcert_status add_lines(vocabulary *v, const text_view *text, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  const char *const end = text->data + text->length, *next;
  size_t length;
  int id = 0;
  for (const char *line = text->data; status == ATTCERT_OK && line < end; line = next, id++) {
    next = end_line(&length, line, end);
    status = vocabulary_add(v, line, length, id, text->name, err);
  }
  return status;
}

attcert_status vocabulary_read_lines(vocabulary *v, const char *path, attcert_error *err) {
  *v = (vocabulary){.count = 0};
  text_file file;
  attcert_status status = text_file_open_lines(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = add_lines(v, &file.text, err);
  if (status == ATTCERT_OK) status = text_file_digest(v->sha256, &file, err);
  text_file_close(&file);
  if (status == ATTCERT_OK) status = vocabulary_finish(v, true, path, err);
  if (status != ATTCERT_OK) vocabulary_clear(v);
  return status;
}

attcert_status vocabulary_from_object(vocabulary *v, const component *object, attcert_error *err) {
  const char *token;
  json_t *value;
  attcert_status status = ATTCERT_OK;
  *v = (vocabulary){.count = 0};
  json_object_foreach((json_t *)object->json, token, value) {
    int id = 0;
    status = component_required_integer(&id, object, token, 0, INT_MAX - 1, err);
    if (status == ATTCERT_OK) status = vocabulary_add(v, token, strlen(token), id, object->path, err);
    if (status != ATTCERT_OK) break;
  }
  if (status == ATTCERT_OK) status = vocabulary_finish(v, false, object->path, err);
  if (status != ATTCERT_OK) vocabulary_clear(v);
  return status;
}

attcert_status vocabulary_read_json(vocabulary *v, const char *path, attcert_error *err) {
  json_file file;
  *v = (vocabulary){.count = 0};
  attcert_status status = json_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = vocabulary_from_object(v, &(component){.path = path, .json = file.root}, err);
  memcpy(v->sha256, file.sha256, sizeof v->sha256);
  json_file_close(&file);
  return status;
}
