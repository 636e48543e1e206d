/* The attention of a model's decoder to what its encoder comes to. */
#ifndef ATTCERT_MODEL_MODEL_CROSS_H
#define ATTCERT_MODEL_MODEL_CROSS_H

#include "model/cross_attention.h"
#include "model/model.h"

/* That of the decoder's layer l, whose inputs are what enters its query, key and value maps, behind all norms. Errors:
 * ATTCERT_INPUT (no such attention is evaluated of the model, no such layer, a tensor of it that is missing, of another
 * shape or not known), ATTCERT_RESOURCE. cross_attention_clear is due in every case. */
attcert_status model_cross_attention(cross_attention *cross, const model *m, int l, attcert_error *err);

#endif
