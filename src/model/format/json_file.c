/* Strict JSON through jansson: it checks UTF-8, refuses NUL in strings, numbers out of range
 * and (asked) duplicate keys. */
#include "model/format/json_file.h"

#include "base/arrays.h"
#include "model/format/file_kind.h"
#include "model/format/mapped_file.h"

#include <stdlib.h>
#include <string.h>

/* What a text costs once it is parsed: some 300 bytes a value at most, so that the largest allowed one takes less
 * than 160 MiB. Far beyond every real file: a vocabulary has a value a token, a safetensors header ten a tensor. */
enum { MAX_SIZE = 1 << 24, MAX_VALUES = 1 << 19, MAX_DEPTH = 32 };

/* Where a scan stands: outside a string, or in one. */
typedef struct {
  size_t values, depth;
  bool in_string, escaped;
} json_scan;

/* One byte more. Every value but the first one of a container follows a comma. */
static void scan_byte(json_scan *s, char c) {
  if (s->in_string) {
    s->in_string = s->escaped || c != '"';
    s->escaped = !s->escaped && c == '\\';
  } else if (c == '"') {
    s->in_string = true;
  } else if (c == '{' || c == '[') {
    s->depth++;
    s->values++;
  } else if (c == '}' || c == ']') {
    s->depth -= s->depth > 0;
  } else if (c == ',') {
    s->values++;
  }
}

/* Before it is parsed, which makes a tree of it in memory. */
static attcert_status check_size(const char *text, size_t length, size_t max_size, size_t max_values, const char *label,
                                 attcert_error *err) {
  json_scan scan = {.values = 0};
  if (length > max_size)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %zu bytes of JSON, expected at most %zu", label, length, max_size);
  for (size_t i = 0; i < length && scan.depth <= MAX_DEPTH && scan.values <= max_values; i++) scan_byte(&scan, text[i]);
  if (scan.depth > MAX_DEPTH)
    return attcert_fail(err, ATTCERT_INPUT, "%s: JSON of a depth over %d, expected less", label, MAX_DEPTH);
  if (scan.values > max_values)
    return attcert_fail(err, ATTCERT_INPUT, "%s: JSON of more than %zu values, expected fewer", label, max_values);
  return ATTCERT_OK;
}

static attcert_status parse_object(json_t **object, const char *text, size_t length, size_t max_size, size_t max_values,
                                   const char *label, attcert_error *err) {
  json_error_t json_error;
  *object = NULL;
  const attcert_status status = check_size(text, length, max_size, max_values, label, err);
  if (status != ATTCERT_OK) return status;
  *object = json_loadb(text != NULL ? text : "", length, JSON_REJECT_DUPLICATES, &json_error);
  if (*object == NULL && json_error_code(&json_error) == json_error_out_of_memory)
    return array_out_of_memory(err, 0, "the JSON of %s (%zu bytes)", label, length);
  if (*object == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: expected UTF-8 JSON: %s (line %d, column %d)", label, json_error.text,
                        json_error.line, json_error.column);
  if (json_is_object(*object)) return ATTCERT_OK;
  json_decref(*object);
  *object = NULL;
  return attcert_fail(err, ATTCERT_INPUT, "%s: expected a JSON object {...}", label);
}

attcert_status json_file_parse_object(json_t **object, const char *text, size_t length, const char *label,
                                      attcert_error *err) {
  return parse_object(object, text, length, MAX_SIZE, MAX_VALUES, label, err);
}

attcert_status json_file_open(json_file *file, const char *path, attcert_error *err) {
  return json_file_open_within(file, path, MAX_SIZE, MAX_VALUES, err);
}

attcert_status json_file_open_within(json_file *file, const char *path, size_t max_size, size_t max_values,
                                     attcert_error *err) {
  *file = (json_file){.path = NULL};
  mapped_file text;
  attcert_status status = mapped_file_open(&text, path, err);
  if (status != ATTCERT_OK) return status;
  status = parse_object(&file->root, (const char *)text.data, text.size, max_size, max_values, path, err);
  status = file_kind_explain(status, text.data, text.size, path, "a JSON object {...}", err);
  if (status == ATTCERT_OK) status = mapped_file_digest(file->sha256, &text, path, err);
  mapped_file_close(&text);
  if (status == ATTCERT_OK && (file->path = strdup(path)) == NULL)
    status = array_out_of_memory(err, strlen(path) + 1, "the name of %s", path);
  if (status != ATTCERT_OK) json_file_close(file);
  return status;
}

void json_file_close(json_file *file) {
  json_decref(file->root);
  free(file->path);
  *file = (json_file){.path = NULL};
}

bool json_file_has(const json_file *file, const char *key) {
  const json_t *const value = json_object_get(file->root, key);
  return value != NULL && !json_is_null(value);
}

const char *json_file_unknown_key(const json_t *object, const char *const *known) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    bool found = false;
    for (const char *const *k = known; *k != NULL && !found; k++) found = strcmp(*k, key) == 0;
    if (!found) return key;
  }
  return NULL;
}

static const char *type_name(const json_t *value) {
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    return "an object";
  case JSON_ARRAY:
    return "an array";
  case JSON_STRING:
    return "a string";
  case JSON_INTEGER:
    return "an integer";
  case JSON_REAL:
    return "a number with a fraction";
  case JSON_TRUE:
    return "true";
  case JSON_FALSE:
    return "false";
  default:
    return "null";
  }
}

static attcert_status wrong_value(const json_file *file, const char *key, const char *expected, attcert_error *err) {
  const json_t *const value = json_object_get(file->root, key);
  if (value == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is missing, expected %s", file->path, key, expected);
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %s, expected %s", file->path, key, type_name(value),
                      expected);
}

attcert_status json_file_int(int *value, const json_file *file, const char *key, int minimum, int maximum,
                             attcert_error *err) {
  const json_t *const found = json_object_get(file->root, key);
  if (!json_is_integer(found)) return wrong_value(file, key, "an integer", err);
  const json_int_t number = json_integer_value(found);
  if (number < minimum || number > maximum)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %" JSON_INTEGER_FORMAT ", expected %d to %d", file->path,
                        key, number, minimum, maximum);
  *value = (int)number;
  return ATTCERT_OK;
}

attcert_status json_file_bool(bool *value, const json_file *file, const char *key, attcert_error *err) {
  const json_t *const found = json_object_get(file->root, key);
  if (!json_is_boolean(found)) return wrong_value(file, key, "true or false", err);
  *value = json_is_true(found);
  return ATTCERT_OK;
}

attcert_status json_file_optional_int(int *value, const json_file *file, const char *key, int minimum, int maximum,
                                      attcert_error *err) {
  return json_file_has(file, key) ? json_file_int(value, file, key, minimum, maximum, err) : ATTCERT_OK;
}

attcert_status json_file_optional_bool(bool *value, const json_file *file, const char *key, attcert_error *err) {
  return json_file_has(file, key) ? json_file_bool(value, file, key, err) : ATTCERT_OK;
}

attcert_status json_file_real(double *value, const json_file *file, const char *key, attcert_error *err) {
  const json_t *const found = json_object_get(file->root, key);
  if (!json_is_number(found)) return wrong_value(file, key, "a number", err);
  *value = json_number_value(found);
  return ATTCERT_OK;
}

attcert_status json_file_optional_positive(double *value, const json_file *file, const char *key, attcert_error *err) {
  if (!json_file_has(file, key)) return ATTCERT_OK;
  const attcert_status status = json_file_real(value, file, key, err);
  if (status != ATTCERT_OK || *value > 0.0) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %g, expected a positive number", file->path, key, *value);
}

attcert_status json_file_string(const char **value, const json_file *file, const char *key, attcert_error *err) {
  const json_t *const found = json_object_get(file->root, key);
  if (!json_is_string(found)) return wrong_value(file, key, "a string", err);
  *value = json_string_value(found);
  return ATTCERT_OK;
}
