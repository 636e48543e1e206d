/* Where the tensors of a head are. */
#ifndef ATTCERT_MODEL_HEAD_MODEL_HEAD_SOURCE_H
#define ATTCERT_MODEL_HEAD_MODEL_HEAD_SOURCE_H

#include "model/model.h"
#include "model/tensor_source.h"

/* The model's files, for names under the family's prefix (of_model), or for those that stand beside it: with what the
 * files put before all names, if anything. `prefix` holds that, as long as the source is used. */
void model_head_source(tensor_source *source, char prefix[TENSOR_NAME_SIZE], const model *m, bool of_model);

#endif
