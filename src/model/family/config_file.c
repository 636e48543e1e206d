#include "model/family/config_file.h"

#include "base/arrays.h"
#include "model/family/families.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_NAME_SIZE = 64 };

/* ---- the numbers ------------------------------------------------------------------------------------------------- */

static attcert_status find_family(const model_family **family, const char **type, const json_file *file,
                                  attcert_error *err) {
  const char *name;
  if (!json_file_has(file, "model_type"))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key 'model_type' is missing, expected " MODEL_TYPES, file->path);
  const attcert_status status = json_file_string(&name, file, "model_type", err);
  if (status != ATTCERT_OK) return status;
  *family = families_find(type, name);
  if (*family != NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'model_type' is '%s', expected " MODEL_TYPES, file->path, name);
}

/* Whether the word is one of those that are separated by blanks. */
static bool is_one_of(const char *key, const char *words) {
  const size_t length = strlen(key);
  for (size_t n; (n = strcspn(words, " ")) > 0; words += n + strspn(words + n, " ")) {
    if (n == length && strncmp(words, key, n) == 0) return true;
  }
  return false;
}

/* *key := the one of its names that the file has, or the first one; two of them must agree. */
static attcert_status choose_name(char key[KEY_NAME_SIZE], const json_file *file, const char *names,
                                  attcert_error *err) {
  const char *name, *found = NULL;
  json_t *value;
  snprintf(key, KEY_NAME_SIZE, "%.*s", (int)strcspn(names, " "), names);
  json_object_foreach(file->root, name, value) {
    if (json_is_null(value) || !is_one_of(name, names)) continue;
    if (found != NULL && !json_equal(value, json_object_get(file->root, found)))
      return attcert_fail(err, ATTCERT_INPUT, "%s: keys '%s' and '%s' differ, expected one number", file->path, found,
                          name);
    found = name;
  }
  if (found != NULL) snprintf(key, KEY_NAME_SIZE, "%s", found);
  return ATTCERT_OK;
}

/* Of heads of their own size, which need not divide d. */
static attcert_status read_head_size(model_config *config, const json_file *file, const model_family *family,
                                     attcert_error *err) {
  config->key_heads = config->heads;
  config->head_dim = family->head_size.usual;
  const attcert_status status =
      json_file_optional_int(&config->head_dim, file, family->head_size.key, 1, MODEL_DIM_MAX, err);
  return status == ATTCERT_OK ? model_config_check_rows(config, file->path, err) : status;
}

static attcert_status read_sides(model_config *config, const json_file *file, const model_family *family,
                                 attcert_error *err) {
  const family_keys *const keys = &family->keys;
  const struct {
    int *value;
    const char *key;
    int maximum;
    bool optional;
  } side[] = {{&config->dim, keys->dim, MODEL_DIM_MAX, false},
              {&config->heads, keys->heads, MODEL_DIM_MAX, false},
              {&config->layers, keys->layers, INT_MAX, false},
              {&config->hidden_dim, keys->hidden_dim, 4 * MODEL_DIM_MAX, keys->hidden_dim_optional},
              {&config->vocabulary, keys->vocabulary, INT_MAX, true},
              {&config->positions, keys->positions, INT_MAX, true},
              {&config->embedding_dim, keys->embedding_dim, MODEL_DIM_MAX, true}};
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; i < sizeof side / sizeof side[0] && status == ATTCERT_OK; i++) {
    char key[KEY_NAME_SIZE];
    if (side[i].key == NULL) continue;
    status = choose_name(key, file, side[i].key, err);
    if (status != ATTCERT_OK || (side[i].optional && !json_file_has(file, key))) continue;
    status = json_file_int(side[i].value, file, key, 1, side[i].maximum, err);
  }
  if (config->hidden_dim == 0) config->hidden_dim = 4 * config->dim;
  if (config->embedding_dim == 0) config->embedding_dim = family->defaults.embedding_dim;
  if (config->embedding_dim == 0) config->embedding_dim = config->dim;
  if (status != ATTCERT_OK) return status;
  return family->head_size.key != NULL ? read_head_size(config, file, family, err)
                                       : model_config_set_heads(config, file->path, err);
}

static attcert_status read_activation(model_config *config, const json_file *file, const model_family *family,
                                      attcert_error *err) {
  const char *const key = family->keys.act, *name = family->defaults.act;
  const attcert_status status = json_file_has(file, key) ? json_file_string(&name, file, key, err) : ATTCERT_OK;
  if (status != ATTCERT_OK) return status;
  config->act = activation_named(name);
  if (config->act != NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is '%s', expected %s", file->path, key, name, ACTIVATION_NAMES);
}

/* ---- every key is known ------------------------------------------------------------------------------------------ */

/* Whether it is the place of one of the family's numbers. */
static bool is_number(const char *key, const model_family *family) {
  const family_keys *const k = &family->keys;
  const char *const all[] = {k->dim,       k->heads, k->layers,  k->hidden_dim,   k->vocabulary,
                             k->positions, k->act,   k->epsilon, k->embedding_dim};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    if (all[i] != NULL && is_one_of(key, all[i])) return true;
  }
  return false;
}

static const config_key *find_row(const config_key *row, const char *key) {
  while (row->keys != NULL && !is_one_of(key, row->keys)) row++;
  return row->keys != NULL ? row : NULL;
}

static const config_key *find_key(const char *key, const model_family *family) {
  const config_key *const own = find_row(family->other_keys, key);
  return own != NULL ? own : find_row(common_keys, key);
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

static attcert_status check_keys(const json_file *file, const model_family *family, attcert_error *err) {
  const char *key, *unknown = NULL;
  json_t *value;
  int count = 0;
  json_object_foreach(file->root, key, value) {
    const config_key *const k = find_key(key, family);
    const attcert_status status = k != NULL && k->value != NULL ? check_value(file, key, value, k, err) : ATTCERT_OK;
    if (status != ATTCERT_OK) return status;
    if (k != NULL || is_number(key, family)) continue;
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

const char *model_config_key_why(const model_config *config, const char *key) {
  const config_key *const k = find_key(key, config->family);
  return k != NULL && k->value == NULL ? k->why : NULL;
}

/* ---- the whole file ---------------------------------------------------------------------------------------------- */

attcert_status model_config_read(model_config *config, const json_file *file, attcert_error *err) {
  const model_family *family = NULL;
  const char *type = NULL;
  attcert_status status = find_family(&family, &type, file, err);
  if (status != ATTCERT_OK) return status;
  *config = family_config(family);
  config->type = type;
  status = read_sides(config, file, family, err);
  if (status == ATTCERT_OK) status = read_activation(config, file, family, err);
  if (status == ATTCERT_OK && family->keys.epsilon != NULL)
    status = json_file_optional_positive(&config->epsilon, file, family->keys.epsilon, err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->tied, file, "tie_word_embeddings", err);
  if (status == ATTCERT_OK && family->check != NULL) status = family->check(config, file, err);
  return status == ATTCERT_OK ? check_keys(file, family, err) : status;
}

attcert_status model_config_require_embeddings(const model_config *config, const char *path, attcert_error *err) {
  if (config->vocabulary > 0 && config->positions > 0) return ATTCERT_OK;
  const family_keys *const keys = &config->family->keys;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is missing, but the model has an embedding table", path,
                      config->vocabulary == 0 ? keys->vocabulary : keys->positions);
}
