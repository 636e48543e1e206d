/* The architecture of a transformer, as config.json of a Hugging Face directory states it. */
#ifndef ATTCERT_MODEL_FAMILY_MODEL_CONFIG_H
#define ATTCERT_MODEL_FAMILY_MODEL_CONFIG_H

#include "attcert.h"
#include "model/family/activation.h"

/* The largest d, as in the contracts of the kernel; every model of the families is well below. */
#define MODEL_DIM_MAX 4096

/* How many layers a list of attention types may have. */
enum { MODEL_TYPED_LAYERS_MAX = 512 };

typedef struct model_family model_family; /* family.h */

typedef struct {
  const model_family *family;
  const char *type;  /* model_type: the family's name, or a relative's that computes as it does */
  attcert_mask mask; /* decoders: causal; others: none, or causal where is_decoder is true */
  int dim, heads, layers;
  int key_heads;                               /* of keys and values; divides `heads` */
  int head_dim;                                /* k */
  int hidden_dim;                              /* width of the feed-forward part */
  int vocabulary, positions;                   /* how many tokens there are, and fit; 0 where the file says nothing */
  int embedding_dim;                           /* e: columns of the embedding tables */
  int first_position;                          /* row of the position table for the first token */
  int padding;                                 /* the token without a position; -1: none */
  int groups;                                  /* of layers that share their tensors; 0: each has its own */
  bool attention_biases;                       /* of queries, keys and values */
  bool output_bias, feed_forward_biases;       /* of attention's output map, of the feed-forward part */
  bool scaled;                                 /* scores are divided by sqrt(k) */
  bool tied;                                   /* the word table scores the next token */
  int window;                                  /* of local layers: how many tokens one attends to, itself included; 0:
                                                  there are none */
  uint64_t local[MODEL_TYPED_LAYERS_MAX / 64]; /* a bit a layer */
  double rotary_base;                          /* theta of rotary positions; 0: the tokens' positions rotate nothing */
  const range_curve *act;                      /* the feed-forward part's */
  double epsilon;                              /* of every LayerNorm or RMSNorm */
} model_config;

/* Whether its heads are those of attcert_layer: keys of their own, k = d / heads, no rotary positions. */
bool model_config_has_plain_heads(const model_config *config);

/* Whether layer l attends to the last `window` tokens alone. */
bool model_config_is_local(const model_config *config, int l);

/* The number in the names of layer l's tensors: l, or that of its group. */
int model_config_group(const model_config *config, int l);

/* Whether `heads` divides `dim`; then each head has keys and values of its own, and k = d / heads. label names the source
 * in the message. */
attcert_status model_config_set_heads(model_config *config, const char *label, attcert_error *err);

#endif
