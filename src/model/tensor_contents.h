/* Whether a tensor that is not read holds what leaves the function as it is. */
#ifndef ATTCERT_MODEL_TENSOR_CONTENTS_H
#define ATTCERT_MODEL_TENSOR_CONTENTS_H

#include "model/model_parts.h"

/* row: what the tensor, of layer `layer` where it is a block's, is known as. ATTCERT_INPUT where it holds something
 * else. */
attcert_status tensor_contents_check(const model *m, const safetensors_tensor *t, const unread_tensor *row, int layer,
                                     const char *path, attcert_error *err);

#endif
