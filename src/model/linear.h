/* The weights of affine maps y = W x + b, W [out, in] row-major, stored so (torch.nn.Linear) or as [in, out]
 * (transformers' Conv1D); and those of LayerNorm. */
#ifndef ATTCERT_MODEL_LINEAR_H
#define ATTCERT_MODEL_LINEAR_H

#include "attcert.h"
#include "model/tensor_source.h"

/* Reads NAME.weight and NAME.bias into weight [out, in] and bias [out]; bias NULL: the file has none. */
typedef attcert_status linear_reader(double *weight, double *bias, const tensor_source *source, const char *name,
                                     int out, int in, attcert_error *err);
linear_reader linear_read;

/* The same of a map that the family may store as [in, out]. */
linear_reader linear_read_stored;

/* gain and bias [dim] of a LayerNorm from NAME.weight and NAME.bias, which BERT's first checkpoints call NAME.gamma and
 * NAME.beta. bias NULL: of an RMSNorm, which has none. Errors beside those of
 * the tensors: ATTCERT_INPUT where the family's gain is 1 + the stored number, and that is no double. */
attcert_status linear_read_norm(double *gain, double *bias, int dim, const tensor_source *source, const char *name,
                                attcert_error *err);

#endif
