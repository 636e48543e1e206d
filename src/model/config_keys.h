/* Every key of config.json: read by this library, or known not to change the function that is evaluated (the reason
 * is in the table), or known to leave it as it is at one value alone. Any other key may change the function, and a
 * certificate would be one of another model: it is refused by name. */
#ifndef ATTCERT_MODEL_CONFIG_KEYS_H
#define ATTCERT_MODEL_CONFIG_KEYS_H

#include "model/format/json_file.h"
#include "model/model.h"

typedef struct {
  const char *key;
  unsigned families; /* a bit a model_family: 1 << MODEL_BERT; 0: all */
  const char *value; /* the JSON text of the one value that leaves the function as it is, beside null and an absent key;
                        CONFIG_KEY_READ, CONFIG_KEY_FREE */
  const char *why;   /* it has no effect, or other values are refused; NULL where the key is read */
} config_key;

/* In the place of a value: the key is read; or it may have any. And CONFIG_KEY_UNSET: none but null. */
#define CONFIG_KEY_READ NULL
#define CONFIG_KEY_FREE ""
#define CONFIG_KEY_UNSET "null"

/* The keys that are not the sides of one family alone. Ends with a key of NULL. */
extern const config_key config_key_table[];

/* Whether every key of the file is known and has a value that leaves the function as it is; own: the keys that are read
 * for this family beside the table's, NULL at the end. ATTCERT_INPUT names the first other key and counts the rest. */
attcert_status config_keys_check(const json_file *file, model_family family, const char *const *own,
                                 attcert_error *err);

/* Of a key that passes the check: NULL where its value matters, else why it does not. */
const char *config_keys_why(const char *key, model_family family, const char *const *own);

#endif
