/* LayerNorm with a model's own gamma and beta, on hidden states. */
#ifndef ATTCERT_MODEL_NORMALIZE_H
#define ATTCERT_MODEL_NORMALIZE_H

#include "attcert.h"
#include "model/tensor_source.h"

/* gamma and beta [dim], of the tensors that normalize_rows names. */
attcert_status normalize_read(double *gamma, double *beta, int dim, const tensor_source *source, const char *name,
                              attcert_error *err);

/* Replaces each row of x by its LayerNorm with the tensors NAME.weight and NAME.bias, which BERT's first checkpoints
 * call NAME.gamma and NAME.beta. */
attcert_status normalize_rows(attcert_matrix *x, const tensor_source *source, const char *name, attcert_error *err);

#endif
