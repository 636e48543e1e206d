/* The architectures of "random:bert" and "random:gpt2", optionally with other sides: "random:bert:d,heads,layers".
 *
 *   bert: d 768, 12 heads, 12 layers, vocabulary 30522,  512 positions, gelu       (BERT-base)
 *   gpt2: d 768, 12 heads, 12 layers, vocabulary 50257, 1024 positions, gelu_new   (GPT-2 small)
 *
 * The feed-forward width is 4 d. Vocabulary and positions do not depend on d, so any tokenizer of the family fits. */
#ifndef ATTCERT_MODEL_RANDOM_MODEL_H
#define ATTCERT_MODEL_RANDOM_MODEL_H

#include "model/model_config.h"

/* Whether spec starts with "random:" (otherwise it is a path). */
bool random_model_matches(const char *spec);

attcert_status random_model_config(model_config *config, const char *spec, attcert_error *err);

#endif
