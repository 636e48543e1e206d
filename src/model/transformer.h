/* The attention of a model's layers, from the tensors that its family names (family/family.h). */
#ifndef ATTCERT_MODEL_TRANSFORMER_H
#define ATTCERT_MODEL_TRANSFORMER_H

#include "model/tensor_source.h"

/* The name of a part of block l, as "encoder.layer.1.output.dense". Blocks of one group share their tensors. */
void transformer_part(char name[TENSOR_NAME_SIZE], const tensor_source *source, int l, const char *part);

/* ATTCERT_INPUT, with the reason, where the attention of layer l is another function than attcert_layer's. label names
 * the model. */
attcert_status transformer_check_attention(const model_config *config, int l, const char *label, attcert_error *err);

/* The queries of transformer_layer are the stored ones times 2^this: 0, or where scores are not divided by sqrt(k), the
 * exponent of sqrt(k) (-1: sqrt(k) is no power of 2, and transformer_check_attention refuses the layer). */
int transformer_query_exponent(const model_config *config);

/* The attention of layer l as the family stores it; mask and heads from the configuration. */
attcert_status transformer_layer(attcert_layer *layer, const tensor_source *source, int l, attcert_error *err);

#endif
