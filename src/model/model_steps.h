/* The steps of a model (network/network.h), from its tensors: the only definition of what a block computes. Each
 * function returns the number of its value. */
#ifndef ATTCERT_MODEL_MODEL_STEPS_H
#define ATTCERT_MODEL_MODEL_STEPS_H

#include "model/linear.h"
#include "model/model_parts.h"
#include "network/network.h"

/* An affine map read from NAME.weight and, where it is biased, NAME.bias of a source. */
int model_map(network_builder *b, int value, const tensor_source *source, linear_reader *read, const char *name,
              bool biased, int cols);

/* LayerNorm with the tensors of linear_read_norm. */
int model_norm(network_builder *b, int value, const model *m, const char *name);
int model_norm_of(network_builder *b, int value, const model *m, const tensor_source *source, const char *name);

/* From the hidden states entering block l to the input of its attention. */
int model_attention_input(network_builder *b, int value, const model *m, int l);

/* From there to the output projection. token: only this one asks; -1: all do. */
int model_attend(network_builder *b, int value, const model *m, int l, int token);

/* The two halves of block l, with their residual sum and LayerNorm. token: all that follows is of this one alone; -1:
 * of all. */
int model_attention(network_builder *b, int value, const model *m, int l, int token);
int model_feed_forward(network_builder *b, int value, const model *m, int l);

/* The whole block, whose halves may both read what enters it. */
int model_block(network_builder *b, int value, const model *m, int l, int token);

#endif
