#include "model/family/config_keys.h"

#include "base/arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool config_keys_name(const char *key, const char *words) {
  const size_t length = strlen(key);
  for (size_t n; (n = strcspn(words, " ")) > 0; words += n + strspn(words + n, " ")) {
    if (n == length && strncmp(words, key, n) == 0) return true;
  }
  return false;
}

/* Whether it is the place of one of the family's numbers. */
static bool is_number(const char *key, const model_family *family) {
  const family_keys *const k = &family->keys;
  const char *const all[] = {k->dim,       k->heads, k->layers,  k->hidden_dim,   k->vocabulary,
                             k->positions, k->act,   k->epsilon, k->embedding_dim};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    if (all[i] != NULL && config_keys_name(key, all[i])) return true;
  }
  return false;
}

static const config_key *find_row(const config_key *row, const char *key) {
  while (row->keys != NULL && !config_keys_name(key, row->keys)) row++;
  return row->keys != NULL ? row : NULL;
}

const config_key *config_keys_find(const char *key, const config_key *own) {
  const config_key *const row = find_row(own, key);
  return row != NULL ? row : find_row(common_keys, key);
}

/* The value as JSON on one line, at most 60 bytes of it. */
static attcert_status refuse_value(const json_file *file, const char *key, const json_t *value, const config_key *k,
                                   attcert_error *err) {
  char *const text = json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
  const attcert_status status =
      attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %.60s, expected %s: %s", file->path, key,
                   text != NULL ? text : "another value", strcmp(k->value, "null") == 0 ? "none" : k->value, k->why);
  free(text);
  return status;
}

/* Whether the value is the one that the key is held to, or null. */
static attcert_status check_value(const json_file *file, const char *key, const json_t *value, const config_key *k,
                                  attcert_error *err) {
  if (json_is_null(value)) return ATTCERT_OK;
  json_t *const expected = json_loads(k->value, JSON_DECODE_ANY, NULL);
  if (expected == NULL) return array_out_of_memory(err, 0, "the value of key %s", key);
  const bool same = json_equal(value, expected) != 0;
  json_decref(expected);
  return same ? ATTCERT_OK : refuse_value(file, key, value, k, err);
}

static attcert_status refuse_unknown(const json_file *file, const char *key, int count, attcert_error *err) {
  char others[32] = "";
  if (count > 1) snprintf(others, sizeof others, " (as are %d others)", count - 1);
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: key '%s' is not known%s: it may change the function, expected keys that are read or known "
                      "to have no effect",
                      file->path, key, others);
}

attcert_status config_keys_check(const json_file *file, const config_key *own, const model_family *family,
                                 attcert_error *err) {
  const char *key, *unknown = NULL;
  json_t *value;
  int count = 0;
  json_object_foreach(file->root, key, value) {
    const config_key *const k = config_keys_find(key, own);
    const attcert_status status = k != NULL && k->value != NULL ? check_value(file, key, value, k, err) : ATTCERT_OK;
    if (status != ATTCERT_OK) return status;
    if (k != NULL || (family != NULL && is_number(key, family))) continue;
    if (unknown == NULL) unknown = key;
    count++;
  }
  return unknown != NULL ? refuse_unknown(file, unknown, count, err) : ATTCERT_OK;
}

attcert_status model_config_check_object(const json_file *file, const char *key, const config_key *rows,
                                         attcert_error *err) {
  json_file part = {.path = file->path, .root = json_object_get(file->root, key)};
  const char *name;
  json_t *value;
  if (part.root == NULL || json_is_null(part.root)) return ATTCERT_OK;
  if (!json_is_object(part.root))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is no object, expected one", file->path, key);
  json_object_foreach(part.root, name, value) {
    const config_key *const k = find_row(rows, name);
    if (k == NULL) return refuse_unknown(&part, name, 1, err);
    const attcert_status status = k->value != NULL ? check_value(&part, name, value, k, err) : ATTCERT_OK;
    if (status != ATTCERT_OK) return status;
  }
  return ATTCERT_OK;
}
