#include "model/config_keys.h"

#include "base/arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_own(const char *key, const char *const *own) {
  while (*own != NULL && strcmp(*own, key) != 0) own++;
  return *own != NULL;
}

static const config_key *find_key(const char *key, model_family family) {
  for (const config_key *k = config_key_table; k->key != NULL; k++) {
    if (strcmp(k->key, key) == 0 && (k->families == 0 || (k->families >> family & 1) != 0)) return k;
  }
  return NULL;
}

static bool is_held(const config_key *k) {
  return k->value != CONFIG_KEY_READ && *k->value != '\0';
}

/* The value as JSON on one line, at most 60 bytes of it. */
static attcert_status refuse_value(const json_file *file, const config_key *k, const json_t *value,
                                   attcert_error *err) {
  char *const text = json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
  const attcert_status status = attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %.60s, expected %s: %s", file->path,
                                             k->key, text != NULL ? text : "another value",
                                             strcmp(k->value, CONFIG_KEY_UNSET) == 0 ? "none" : k->value, k->why);
  free(text);
  return status;
}

/* Whether the value is the one that the key is held to, or null. */
static attcert_status check_value(const json_file *file, const config_key *k, const json_t *value, attcert_error *err) {
  if (json_is_null(value)) return ATTCERT_OK;
  json_t *const expected = json_loads(k->value, JSON_DECODE_ANY, NULL);
  if (expected == NULL) return array_out_of_memory(err, 0, "the value of key %s", k->key);
  const bool same = json_equal(value, expected) != 0;
  json_decref(expected);
  return same ? ATTCERT_OK : refuse_value(file, k, value, err);
}

static attcert_status refuse_unknown(const json_file *file, const char *key, int count, attcert_error *err) {
  char others[32] = "";
  if (count > 1) snprintf(others, sizeof others, " (as are %d others)", count - 1);
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: key '%s' is not known%s: it may change the function, expected keys that are read or known "
                      "to have no effect",
                      file->path, key, others);
}

attcert_status config_keys_check(const json_file *file, model_family family, const char *const *own,
                                 attcert_error *err) {
  const char *key, *unknown = NULL;
  json_t *value;
  int count = 0;
  json_object_foreach(file->root, key, value) {
    const config_key *const k = find_key(key, family);
    const attcert_status status = k != NULL && is_held(k) ? check_value(file, k, value, err) : ATTCERT_OK;
    if (status != ATTCERT_OK) return status;
    if (k != NULL || is_own(key, own)) continue;
    if (unknown == NULL) unknown = key;
    count++;
  }
  return unknown != NULL ? refuse_unknown(file, unknown, count, err) : ATTCERT_OK;
}

const char *config_keys_why(const char *key, model_family family, const char *const *own) {
  const config_key *const k = is_own(key, own) ? NULL : find_key(key, family);
  return k != NULL && !is_held(k) ? k->why : NULL;
}
