/* The architectures of the random models, "random:FAMILY", optionally with other sides: "random:FAMILY:d,heads,layers",
 * or of a family whose heads may share keys "random:FAMILY:d,heads,key_heads,layers". Without them d is 768, with 12
 * heads in 12 layers (BERT-base, GPT-2 small).
 *
 * The feed-forward width is 4 d, of a llama 8 d / 3 and then the next multiple of 256. Vocabulary and positions do not
 * depend on d, so any tokenizer of the family fits. */
#ifndef ATTCERT_MODEL_RANDOM_MODEL_H
#define ATTCERT_MODEL_RANDOM_MODEL_H

#include "model/family/model_config.h"

/* Whether spec starts with "random:" (otherwise it is a path). */
bool random_model_matches(const char *spec);

attcert_status random_model_config(model_config *config, const char *spec, attcert_error *err);

#endif
