/* Affine maps y = W x + b on rows of tokens, W [out, in] row-major; and how BERT (torch.nn.Linear, stored [out, in])
 * and GPT-2 (transformers' Conv1D, stored [in, out]) keep them. */
#ifndef ATTCERT_MODEL_LINEAR_H
#define ATTCERT_MODEL_LINEAR_H

#include "attcert.h"
#include "model/tensor_source.h"

/* Reads NAME.weight and NAME.bias into weight [out, in] and bias [out]; bias NULL: the file has none. */
typedef attcert_status linear_reader(double *weight, double *bias, const tensor_source *source, const char *name,
                                     int out, int in, attcert_error *err);
linear_reader linear_read, linear_read_conv1d;

/* y (n x out) = x W^T + b for the rows of x (n x in); b may be NULL for zero. y does not overlap x. By BLAS, unlike
 * affine_rows of the kernel: the feed-forward part has twice the products of attention. */
void linear_apply(double *y, const double *x, int n, const double *weight, const double *bias, int out, int in);

/* The same map, its weights read for this one use; the sides are those of y and x. */
attcert_status linear_apply_stored(attcert_matrix *y, const attcert_matrix *x, const tensor_source *source,
                                   linear_reader *read, const char *name, attcert_error *err);

#endif
