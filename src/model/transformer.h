/* What distinguishes one family of transformers from another, as a table: the names and layouts of the tensors, and how
 * a block combines attention, feed-forward part, residuals and LayerNorm (BERT after each sum, GPT-2 before each part).
 * NULL names what a family does not have. */
#ifndef ATTCERT_MODEL_TRANSFORMER_H
#define ATTCERT_MODEL_TRANSFORMER_H

#include "attcert.h"
#include "model/linear.h"
#include "model/tensor_source.h"

/* What a token goes through before the classifier of sequences: an affine map with an activation, or neither. */
typedef enum { HEAD_MAP_NONE, HEAD_MAP_TANH, HEAD_MAP_GELU, HEAD_MAP_RELU } transformer_head_map;

typedef struct {
  const char *prefix; /* that the family's files may carry before every name */

  /* Embeddings: word and position rows (and token type 0), summed, normalised, mapped to R^d. */
  const char *word_table, *position_table; /* [vocabulary, e] and [positions, e]; NULL: the model reads no text */
  const char *type_table, *embedding_norm;
  const char *embedding_map;  /* from R^e to R^d */
  bool embedding_map_always;  /* also where e = d */
  linear_reader *read_linear; /* how affine maps are stored */

  bool norm_first;    /* LayerNorm before each part of a block, not after each sum */
  const char *blocks; /* what precedes a block's number */
  /* Parts of a block, for transformer_part. */
  const char *query, *key, *value, *output; /* the attention's affine maps; key NULL: query holds all three */
  const char *attention_norm, *feed_forward_norm, *up, *down;

  const char *final_norm; /* after the last block */
  /* What scores the labels of a sequence, by its first token, or its last and without a bias where the family is a
   * decoder; a decoder's word table scores the next token. */
  bool decoder;
  transformer_head_map head_curve;
  const char *head_map;   /* the affine map before it */
  bool head_map_of_model; /* under the family's prefix, as the classifier is not */
  const char *classifier;
} transformer;

extern const transformer transformer_families[MODEL_FAMILY_COUNT];

/* The name of a part of block l, as "encoder.layer.1.output.dense". Blocks of one group share their tensors. */
void transformer_part(char name[TENSOR_NAME_SIZE], const tensor_source *source, const transformer *family, int l,
                      const char *part);

/* ATTCERT_INPUT, with the reason, where layer l's attention on n tokens (0: any number) is another function than
 * attcert_layer's. label names the model. */
attcert_status transformer_check_attention(const model_config *config, int l, int n, const char *label,
                                           attcert_error *err);

/* The attention of layer l as the family stores it; mask and heads from the configuration. */
attcert_status transformer_layer(attcert_layer *layer, const transformer *family, const tensor_source *source, int l,
                                 attcert_error *err);

/* From the sums of the embeddings (n x e; overwritten) to the hidden states entering layer 0 (n x d). */
attcert_status transformer_embed(attcert_matrix *hidden, attcert_matrix *sums, const transformer *family,
                                 const tensor_source *source, attcert_error *err);

/* Block l, in place: hidden states entering layer l to those entering layer l + 1. */
attcert_status transformer_block(attcert_matrix *x, const transformer *family, const tensor_source *source, int l,
                                 attcert_error *err);

/* From the hidden states entering layer l to the input of its attention, in place. */
attcert_status transformer_attention_input(attcert_matrix *hidden, const transformer *family,
                                           const tensor_source *source, int l, attcert_error *err);

/* The residual sum x += y; both n x d. */
void transformer_add(attcert_matrix *x, const attcert_matrix *y);

#endif
