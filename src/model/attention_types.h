/* GPT-Neo's list of attention types in config.json: "attention_types": [[["global", "local"], 6]] is six times these
 * two types, one type a layer. */
#ifndef ATTCERT_MODEL_ATTENTION_TYPES_H
#define ATTCERT_MODEL_ATTENTION_TYPES_H

#include "model/format/json_file.h"
#include "model/model_config.h"

/* Sets config->local and config->window; config->layers is known. Absent keys have transformers' defaults: global and
 * local by turns, 256 tokens. */
attcert_status attention_types_read(model_config *config, const json_file *file, attcert_error *err);

#endif
