/* An object of rope_scaling or rope_parameters, and the rule by which it scales the angles of rotary positions. */
#ifndef ATTCERT_MODEL_FAMILY_LLAMA_ROTARY_KEYS_H
#define ATTCERT_MODEL_FAMILY_LLAMA_ROTARY_KEYS_H

#include "model/family/family.h"

typedef struct {
  const json_file *file;
  const char *key, *older; /* the object's; where older files have its theta */
  const json_t *object;
  int known; /* keys that were read */
} rotary_keys;

/* A required number of the object, at least `least`. */
attcert_status rotary_keys_number(double *x, rotary_keys *keys, const char *name, double least, attcert_error *err);

/* config->rotary_scaling := the rule that rope_type, or in older files type, names. */
attcert_status rotary_keys_rule(model_config *config, rotary_keys *keys, attcert_error *err);

#endif
