/* What is certified of one head's W = Q^T K, d x d, without the factor 1/sqrt(k) of the scores. */
#ifndef ATTCERT_SPECTRUM_HEAD_H
#define ATTCERT_SPECTRUM_HEAD_H

#include "spectrum/eigenvalue/eigenvalues.h"
#include "spectrum/matrix/traces.h"

typedef struct {
  spectrum_traces traces;
  interval norm, radius; /* ||W||_2, max |lambda_i| */
  spectrum_eigenvalues eigenvalues;
} spectrum_head;

/* gain: as in spectrum_factors_init. spectrum_head_clear is due in every case. Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_head_enclose(spectrum_head *head, const attcert_layer *layer, int h, const double *gain,
                                     attcert_error *err);
void spectrum_head_clear(spectrum_head *head);

#endif
