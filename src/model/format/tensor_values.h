/* Whether a tensor holds what a program makes anew instead of reading it: counts, zeros, masks. */
#ifndef ATTCERT_MODEL_FORMAT_TENSOR_VALUES_H
#define ATTCERT_MODEL_FORMAT_TENSOR_VALUES_H

#include "model/format/safetensors.h"

/* Whether entry i is i * step, as I64 or I32. */
bool tensor_values_count(const safetensors_tensor *t, uint64_t step);

/* *right: whether the tensor is the mask of attention of n tokens, n x n behind sides of 1: 1 where column j is row i
 * or one of the window - 1 before it, else 0; as bytes or floating-point numbers. Errors: ATTCERT_RESOURCE. */
attcert_status tensor_values_mask(bool *right, const safetensors_tensor *t, uint64_t window, attcert_error *err);

/* Whether the tensor is one number, at most the bound. */
bool tensor_values_at_most(const safetensors_tensor *t, double bound);

/* Whether both have the same dtype, shape and bytes. */
bool tensor_values_equal(const safetensors_tensor *a, const safetensors_tensor *b);

#endif
