/* See component.h. */
#include "model/tokenizer/text/component.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static void describe(char text[80], const json_t *value) {
  static const char *const names[] = {[JSON_OBJECT] = "an object",
                                      [JSON_ARRAY] = "an array",
                                      [JSON_STRING] = "a string",
                                      [JSON_INTEGER] = "an integer",
                                      [JSON_REAL] = "a number with a fraction",
                                      [JSON_TRUE] = "true",
                                      [JSON_FALSE] = "false",
                                      [JSON_NULL] = "null"};
  if (json_is_string(value))
    snprintf(text, 80, "\"%.64s\"", json_string_value(value));
  else if (json_is_integer(value))
    snprintf(text, 80, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
  else
    snprintf(text, 80, "%s", value == NULL ? "missing" : names[json_typeof(value)]);
}

attcert_status component_wrong(const component *c, const char *key, const char *expected, attcert_error *err) {
  char found[80];
  describe(found, json_object_get(c->json, key));
  return attcert_fail(err, ATTCERT_INPUT, "%s: %s%skey '%.64s' is %s, expected %s", c->path, c->place,
                      c->place[0] != '\0' ? ": " : "", key, found, expected);
}

/* The place of parent's key; a place too long to be written ends in "..". */
static void name_place(component *child, const component *parent, const char *key, const char *index) {
  const size_t size = sizeof child->place;
  const int length =
      snprintf(child->place, size, "%s%s%.64s%s", parent->place, parent->place[0] != '\0' ? "." : "", key, index);
  if (length >= (int)size) memcpy(child->place + size - 3, "..", 3);
}

attcert_status component_member(component *child, const component *parent, const char *key, attcert_error *err) {
  const json_t *const value = json_object_get(parent->json, key);
  if (!json_is_object(value)) return component_wrong(parent, key, "an object", err);
  *child = (component){.path = parent->path, .json = value};
  name_place(child, parent, key, "");
  return ATTCERT_OK;
}

attcert_status component_element(component *child, const component *parent, const char *key, size_t i,
                                 attcert_error *err) {
  char index[32];
  snprintf(index, sizeof index, "[%zu]", i);
  *child = (component){.path = parent->path, .json = json_array_get(json_object_get(parent->json, key), i)};
  name_place(child, parent, key, index);
  if (json_is_object(child->json)) return ATTCERT_OK;
  char found[80];
  describe(found, child->json);
  return attcert_fail(err, ATTCERT_INPUT, "%s: %s is %s, expected an object", child->path, child->place, found);
}

bool component_has(const component *c, const char *key) {
  const json_t *const value = json_object_get(c->json, key);
  return value != NULL && !json_is_null(value);
}

attcert_status component_check_keys(const component *c, const char *const *keys, attcert_error *err) {
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)c->json, name, value) {
    bool known = strcmp(name, "type") == 0;
    for (const char *const *key = keys; key != NULL && *key != NULL && !known; key++) known = strcmp(*key, name) == 0;
    if (!known) return component_wrong(c, name, "no such key: what it changes is not known", err);
  }
  return ATTCERT_OK;
}

attcert_status component_bool(bool *value, const component *c, const char *key, attcert_error *err) {
  if (!component_has(c, key)) return ATTCERT_OK;
  const json_t *const found = json_object_get(c->json, key);
  if (!json_is_boolean(found)) return component_wrong(c, key, "true or false", err);
  *value = json_is_true(found);
  return ATTCERT_OK;
}

attcert_status component_integer(int *value, const component *c, const char *key, int minimum, int maximum,
                                 attcert_error *err) {
  if (!component_has(c, key)) return ATTCERT_OK;
  const json_t *const found = json_object_get(c->json, key);
  const json_int_t number = json_integer_value(found);
  char expected[64];
  snprintf(expected, sizeof expected, "an integer from %d to %d", minimum, maximum);
  if (!json_is_integer(found) || number < minimum || number > maximum) return component_wrong(c, key, expected, err);
  *value = (int)number;
  return ATTCERT_OK;
}

attcert_status component_string(const char **value, const component *c, const char *key, attcert_error *err) {
  if (!component_has(c, key)) return ATTCERT_OK;
  const json_t *const found = json_object_get(c->json, key);
  if (!json_is_string(found)) return component_wrong(c, key, "a string", err);
  *value = json_string_value(found);
  return ATTCERT_OK;
}

attcert_status component_array(const json_t **value, const component *c, const char *key, attcert_error *err) {
  *value = json_object_get(c->json, key);
  return json_is_array(*value) ? ATTCERT_OK : component_wrong(c, key, "an array", err);
}

attcert_status component_required_integer(int *value, const component *c, const char *key, int minimum, int maximum,
                                          attcert_error *err) {
  if (!component_has(c, key)) return component_wrong(c, key, "an integer", err);
  return component_integer(value, c, key, minimum, maximum, err);
}

attcert_status component_required_string(const char **value, const component *c, const char *key, attcert_error *err) {
  *value = json_string_value(json_object_get(c->json, key));
  return *value != NULL ? ATTCERT_OK : component_wrong(c, key, "a string", err);
}
