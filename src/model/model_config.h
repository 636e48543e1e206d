/* The architecture of a transformer, as config.json of a Hugging Face directory states it. */
#ifndef ATTCERT_MODEL_MODEL_CONFIG_H
#define ATTCERT_MODEL_MODEL_CONFIG_H

#include "attcert.h"
#include "model/activation.h"
#include "model/model.h"

/* The largest d, as in the contracts of the kernel; every model of the two families is well below. */
#define MODEL_DIM_MAX 4096

/* How many layers a list of attention types may have (GPT-Neo). */
enum { MODEL_TYPED_LAYERS_MAX = 512 };

typedef struct {
  model_family family;
  const char *type;  /* model_type: the family's name, or a relative's that computes as it does */
  attcert_mask mask; /* decoders: causal; others: none, or causal where is_decoder is true */
  int dim, heads, layers;
  int hidden_dim;                              /* width of the feed-forward part */
  int vocabulary, positions;                   /* how many tokens there are, and fit; 0 where the file says nothing */
  int embedding_dim;                           /* e: columns of the embedding tables */
  int first_position;                          /* row of the position table for the first token */
  int padding;                                 /* the token without a position; -1: none */
  int groups;                                  /* of layers that share their tensors; 0: each has its own */
  bool attention_biases;                       /* of queries, keys and values */
  bool scaled;                                 /* scores are divided by sqrt(k) */
  bool tied;                                   /* the word table scores the next token */
  int window;                                  /* of local layers: how many tokens one attends to, itself included */
  uint64_t local[MODEL_TYPED_LAYERS_MAX / 64]; /* a bit a layer */
  const range_curve *act;                      /* the feed-forward part's */
  double epsilon;                              /* of every LayerNorm */
  char sha256[SHA256_HEX_SIZE];                /* of the file; empty for a random model */
} model_config;

/* Reads a config.json. The numbers that shape the attention are required; what transformers gives a default
 * (activation, LayerNorm epsilon, GPT-2's feed-forward width, ...) has the same default here. A setting that would
 * make the model another function than the one evaluated here (such as GPT-2's
 * scale_attn_by_inverse_layer_idx), and a key that is not known (config_keys.h), is an error, not ignored. */
attcert_status model_config_read(model_config *config, const char *path, attcert_error *err);

/* Of a key of the file that was read: NULL where its value is used, else why it has no effect. */
const char *model_config_key_why(const model_config *config, const char *key);

/* The sizes of vocabulary and positions, optional in general, are required of a model with an embedding table. */
attcert_status model_config_require_embeddings(const model_config *config, const char *path, attcert_error *err);

/* Whether layer l attends to the last `window` tokens alone. */
bool model_config_is_local(const model_config *config, int l);

/* The number in the names of layer l's tensors: l, or that of its group. */
int model_config_group(const model_config *config, int l);

/* Whether `heads` divides `dim`; label names the source in the message. */
attcert_status model_config_check_heads(const model_config *config, const char *label, attcert_error *err);

#endif
