/* One component of a tokenizer as JSON describes it: an object {"type": NAME, ..}. Every message names the file and the
 * component's place in it. */
#ifndef ATTCERT_MODEL_TOKENIZER_TEXT_COMPONENT_H
#define ATTCERT_MODEL_TOKENIZER_TEXT_COMPONENT_H

#include "attcert.h"

#include <jansson.h>

typedef struct {
  const char *path;   /* of the file */
  char place[96];     /* in it: "normalizer", "normalizer.normalizers[2]"; empty: the whole */
  const json_t *json; /* an object */
} component;

/* The member of an object, or the i-th element of a member that is an array, which must be objects. */
attcert_status component_member(component *child, const component *parent, const char *key, attcert_error *err);
attcert_status component_element(component *child, const component *parent, const char *key, size_t i,
                                 attcert_error *err);

/* Whether the key is there with a value other than null. */
bool component_has(const component *c, const char *key);

/* Refuses a key that is neither "type" nor one of `keys`, a list that NULL ends: what is not read may change tokens. */
attcert_status component_check_keys(const component *c, const char *const *keys, attcert_error *err);

/* Values; *value keeps the default that it has where the key is missing or null. */
attcert_status component_bool(bool *value, const component *c, const char *key, attcert_error *err);
attcert_status component_integer(int *value, const component *c, const char *key, int minimum, int maximum,
                                 attcert_error *err);
attcert_status component_string(const char **value, const component *c, const char *key, attcert_error *err);
attcert_status component_array(const json_t **value, const component *c, const char *key, attcert_error *err);

/* The same where the key must be there. */
attcert_status component_required_integer(int *value, const component *c, const char *key, int minimum, int maximum,
                                          attcert_error *err);
attcert_status component_required_string(const char **value, const component *c, const char *key, attcert_error *err);

/* ATTCERT_INPUT: "PATH: PLACE: key 'KEY' is WHAT IT IS, expected EXPECTED". */
attcert_status component_wrong(const component *c, const char *key, const char *expected, attcert_error *err);

#endif
