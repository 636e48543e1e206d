/* Every key of config.json is known: read, without effect, or held to one value (family.h). */
#ifndef ATTCERT_MODEL_FAMILY_CONFIG_KEYS_H
#define ATTCERT_MODEL_FAMILY_CONFIG_KEYS_H

#include "model/family/family.h"

/* Whether the word is one of those that are separated by blanks. */
bool config_keys_name(const char *key, const char *words);

/* What is known of the key: by the family's own list, or else that of all; NULL: nothing. */
const config_key *config_keys_find(const char *key, const config_key *own);

/* own: keys besides those that all families have; family: whose numbers the file has, too; NULL: it has none. */
attcert_status config_keys_check(const json_file *file, const config_key *own, const model_family *family,
                                 attcert_error *err);

#endif
