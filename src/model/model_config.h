/* The architecture of a transformer, as config.json of a Hugging Face directory states it (model_type bert or gpt2). */
#ifndef ATTCERT_MODEL_CONFIG_H
#define ATTCERT_MODEL_CONFIG_H

#include "attcert.h"
#include "model/activation.h"
#include "model/model.h"

/* The largest d, as in the contracts of the kernel; every model of the two families is well below. */
#define MODEL_DIM_MAX 4096

typedef struct {
  model_family family;
  attcert_mask mask; /* gpt2: causal; bert: none, or causal where is_decoder is true */
  int dim, heads, layers;
  int hidden_dim;            /* width of the feed-forward part */
  int vocabulary, positions; /* 0 where the file says nothing */
  activation act;
  double epsilon;               /* of every LayerNorm */
  char sha256[SHA256_HEX_SIZE]; /* of the file; empty for a random model */
} model_config;

/* Reads a config.json. The numbers that shape the attention are required; what transformers gives a default
 * (activation, LayerNorm epsilon, GPT-2's feed-forward width) has the same default here. A setting that would
 * make the model another function than the one evaluated here (such as GPT-2's
 * scale_attn_by_inverse_layer_idx) is an error, not ignored. */
attcert_status model_config_read(model_config *config, const char *path, attcert_error *err);

/* The sizes of vocabulary and positions, optional in general, are required of a model with an embedding table. */
attcert_status model_config_require_embeddings(const model_config *config, const char *path, attcert_error *err);

/* Whether `heads` divides `dim`; label names the source in the message. */
attcert_status model_config_check_heads(const model_config *config, const char *label, attcert_error *err);

#endif
