/* The architectures of the random models, "random:FAMILY", optionally with other sides: "random:FAMILY:d,heads,layers".
 * Without them d is 768, with 12 heads in 12 layers (BERT-base, GPT-2 small).
 *
 * The feed-forward width is 4 d. Vocabulary and positions do not depend on d, so any tokenizer of the family fits. */
#ifndef ATTCERT_MODEL_RANDOM_MODEL_H
#define ATTCERT_MODEL_RANDOM_MODEL_H

#include "model/family/model_config.h"

/* Whether spec starts with "random:" (otherwise it is a path). */
bool random_model_matches(const char *spec);

attcert_status random_model_config(model_config *config, const char *spec, attcert_error *err);

#endif
