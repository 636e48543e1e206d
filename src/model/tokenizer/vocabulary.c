/* A vocabulary as an array sorted by token: 16 comparisons find one of 50,000. */
#include "model/tokenizer/vocabulary.h"

#include "base/arrays.h"
#include "model/format/json_file.h"
#include "model/tokenizer/text_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

attcert_status vocabulary_add(vocabulary *v, const char *token, size_t length, int id, const char *path,
                              attcert_error *err) {
  if (length == 0) return attcert_fail(err, ATTCERT_INPUT, "%s: the token with id %d is empty", path, id);
  if (memchr(token, '\0', length) != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: the token with id %d holds a NUL character", path, id);
  if (v->count == v->capacity) {
    const size_t capacity = v->capacity == 0 ? 1024 : 2 * v->capacity;
    vocabulary_entry *const larger = realloc(v->entry, capacity * sizeof *larger);
    if (larger == NULL)
      return array_out_of_memory(err, capacity * sizeof *larger, "the list of %zu tokens of %s", capacity, path);
    v->entry = larger;
    v->capacity = capacity;
  }
  char *const copy = array_new(length + 1, 1, err, "the token with id %d of %s", id, path);
  if (copy == NULL) return ATTCERT_RESOURCE;
  memcpy(copy, token, length);
  copy[length] = '\0';
  v->entry[v->count++] = (vocabulary_entry){copy, id};
  return ATTCERT_OK;
}

static int compare_ids(const void *a, const void *b) {
  const int x = ((const vocabulary_entry *)a)->id, y = ((const vocabulary_entry *)b)->id;
  return (x > y) - (x < y);
}

static int compare_tokens(const void *a, const void *b) {
  return strcmp(((const vocabulary_entry *)a)->token, ((const vocabulary_entry *)b)->token);
}

attcert_status vocabulary_finish(vocabulary *v, const char *path, attcert_error *err) {
  if (v->count == 0) return attcert_fail(err, ATTCERT_INPUT, "%s: an empty vocabulary", path);
  qsort(v->entry, v->count, sizeof v->entry[0], compare_ids);
  for (size_t i = 1; i < v->count; i++) {
    if (v->entry[i].id == v->entry[i - 1].id)
      return attcert_fail(err, ATTCERT_INPUT, "%s: tokens \"%.64s\" and \"%.64s\" have the same id %d", path,
                          v->entry[i - 1].token, v->entry[i].token, v->entry[i].id);
  }
  qsort(v->entry, v->count, sizeof v->entry[0], compare_tokens);
  for (size_t i = 1; i < v->count; i++) {
    if (compare_tokens(&v->entry[i], &v->entry[i - 1]) == 0)
      return attcert_fail(err, ATTCERT_INPUT, "%s: token \"%.64s\" comes twice, with ids %d and %d", path,
                          v->entry[i].token, v->entry[i - 1].id, v->entry[i].id);
  }
  return ATTCERT_OK;
}

void vocabulary_clear(vocabulary *v) {
  for (size_t i = 0; i < v->count; i++) free(v->entry[i].token);
  free(v->entry);
  *v = (vocabulary){0};
}

int vocabulary_find(const vocabulary *v, const char *token, size_t length) {
  size_t low = 0, high = v->count;
  if (memchr(token, '\0', length) != NULL) return -1; /* no spelling holds one, and strncmp would stop there */
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const char *const candidate = v->entry[middle].token;
    const int order = strncmp(token, candidate, length);
    if (order == 0 && candidate[length] == '\0') return v->entry[middle].id;
    if (order > 0)
      low = middle + 1;
    else
      high = middle; /* equal so far, but the candidate is longer: it sorts after the token */
  }
  return -1;
}

const char *vocabulary_token(const vocabulary *v, int id) {
  for (size_t i = 0; i < v->count; i++) {
    if (v->entry[i].id == id) return v->entry[i].token;
  }
  return NULL;
}

int vocabulary_size(const vocabulary *v) {
  int size = 0;
  for (size_t i = 0; i < v->count; i++) {
    if (v->entry[i].id >= size) size = v->entry[i].id + 1;
  }
  return size;
}

static attcert_status add_lines(vocabulary *v, const text_view *text, attcert_error *err) {
  const char *line, *cursor = text->data;
  size_t length;
  attcert_status status = ATTCERT_OK;
  for (int id = 0; status == ATTCERT_OK && text_file_next_line(&line, &length, &cursor, text->data + text->length);
       id++)
    status = vocabulary_add(v, line, length, id, text->name, err);
  return status;
}

attcert_status vocabulary_read_lines(vocabulary *v, const char *path, attcert_error *err) {
  *v = (vocabulary){0};
  text_file file;
  attcert_status status = text_file_open_lines(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = add_lines(v, &file.text, err);
  if (status == ATTCERT_OK) status = text_file_digest(v->sha256, &file, err);
  text_file_close(&file);
  if (status == ATTCERT_OK) status = vocabulary_finish(v, path, err);
  if (status != ATTCERT_OK) vocabulary_clear(v);
  return status;
}

static attcert_status add_members(vocabulary *v, const json_file *file, attcert_error *err) {
  const char *token;
  json_t *value;
  json_object_foreach(file->root, token, value) {
    int id;
    attcert_status status = json_file_int(&id, file, token, 0, INT_MAX - 1, err);
    if (status == ATTCERT_OK) status = vocabulary_add(v, token, strlen(token), id, file->path, err);
    if (status != ATTCERT_OK) return status;
  }
  return ATTCERT_OK;
}

attcert_status vocabulary_read_json(vocabulary *v, const char *path, attcert_error *err) {
  *v = (vocabulary){0};
  json_file file;
  attcert_status status = json_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = add_members(v, &file, err);
  memcpy(v->sha256, file.sha256, sizeof v->sha256);
  json_file_close(&file);
  if (status == ATTCERT_OK) status = vocabulary_finish(v, path, err);
  if (status != ATTCERT_OK) vocabulary_clear(v);
  return status;
}
