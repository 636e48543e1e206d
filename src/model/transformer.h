/* What distinguishes BERT from GPT-2, as one table of functions a family: the names and layouts of the
 * tensors, and how a block combines attention, feed-forward part, residuals and LayerNorm (BERT after each
 * sum, GPT-2 before each part). */
#ifndef ATTCERT_TRANSFORMER_H
#define ATTCERT_TRANSFORMER_H

#include "attcert.h"
#include "model/linear.h"
#include "model/tensor_source.h"

typedef struct {
  const char *prefix;                      /* that the family's files may carry before every name */
  const char *probe;                       /* a tensor every such model has: shows whether the prefix is there */
  const char *word_table, *position_table; /* [vocabulary, d] and [positions, d] */
  linear_reader *read_linear;              /* how affine maps are stored */
  bool norm_first;                         /* LayerNorm before each part of a block, not after each sum */
  /* Parts of a block, for part_name: its two LayerNorms, and the feed-forward part's affine maps. */
  const char *attention_norm, *feed_forward_norm, *up, *down;
  const char *final_norm; /* after the last block; NULL: none */

  void (*part_name)(char name[TENSOR_NAME_SIZE], int l, const char *part);

  /* Fills the weights of layer l's attention and its output projection; the layer is allocated (d x d, with biases). */
  attcert_status (*read_attention)(attcert_layer *layer, const tensor_source *source, int l, attcert_error *err);
  /* From word + position embeddings to the hidden states entering layer 0, in place; NULL: the same. */
  attcert_status (*embed)(attcert_matrix *hidden, const tensor_source *source, attcert_error *err);
  /* Block l, in place: hidden states entering layer l to those entering layer l + 1. */
  attcert_status (*block)(attcert_matrix *hidden, const tensor_source *source, int l, attcert_error *err);
  /* From the hidden states entering layer l to the input of its attention, in place; NULL: the same. */
  attcert_status (*attention_input)(attcert_matrix *hidden, const tensor_source *source, int l, attcert_error *err);
} transformer;

extern const transformer transformer_bert, transformer_gpt2;

/* ---- steps that both families' blocks are made of ---- */

/* The attention of layer l as the family stores it; mask and heads from the configuration. */
attcert_status transformer_layer(attcert_layer *layer, const transformer *family, const tensor_source *source, int l,
                                 attcert_error *err);

/* y = that attention at x, by the reference kernel: 0.11 s for 100 tokens in a layer of BERT's size (d = 768), where
 * BLAS needs 0.01 s and the certificate of such a layer 30 s at least. */
attcert_status transformer_attend(attcert_matrix *y, const attcert_matrix *x, const transformer *family,
                                  const tensor_source *source, int l, attcert_error *err);

/* The residual sum x += y; both n x d. */
void transformer_add(attcert_matrix *x, const attcert_matrix *y);

#endif
