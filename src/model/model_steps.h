/* The steps of a model (network/network.h), from its tensors: the only definition of what a block computes. Each
 * function returns the number of its value. */
#ifndef ATTCERT_MODEL_MODEL_STEPS_H
#define ATTCERT_MODEL_MODEL_STEPS_H

#include "model/model_attend.h"

/* From the hidden states entering block l to the input of its attention. */
int model_attention_input(network_builder *b, int value, const model *m, int l);

/* The two halves of block l, with their residual sum and LayerNorm. token: all that follows is of this one alone; -1:
 * of all. */
int model_attention(network_builder *b, int value, const model *m, int l, int token);
int model_feed_forward(network_builder *b, int value, const model *m, int l);

/* The whole block, whose halves may both read what enters it. */
int model_block(network_builder *b, int value, const model *m, int l, int token);

#endif
