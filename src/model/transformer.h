/* What distinguishes one family of transformers from another, as a table: the names and layouts of the tensors, and how
 * a block combines attention, feed-forward part, residuals and LayerNorm (BERT after each sum, GPT-2 before each part).
 * NULL names what a family does not have. */
#ifndef ATTCERT_MODEL_TRANSFORMER_H
#define ATTCERT_MODEL_TRANSFORMER_H

#include "attcert.h"
#include "model/linear.h"
#include "model/tensor_source.h"

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
  const range_curve *head_curve; /* what a token goes through before that; NULL: nothing */
  const char *head_map;          /* the affine map before it */
  bool head_map_of_model;        /* under the family's prefix, as the classifier is not */
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

/* The queries of transformer_layer are the stored ones times 2^this: 0, or where scores are not divided by sqrt(k), the
 * exponent of sqrt(k) (-1: sqrt(k) is no power of 2, and transformer_check_attention refuses the layer). */
int transformer_query_exponent(const model_config *config);

/* The attention of layer l as the family stores it; mask and heads from the configuration. */
attcert_status transformer_layer(attcert_layer *layer, const transformer *family, const tensor_source *source, int l,
                                 attcert_error *err);

#endif
