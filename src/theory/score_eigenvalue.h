/* The constant gamma of T3. */
#ifndef ATTCERT_THEORY_SCORE_EIGENVALUE_H
#define ATTCERT_THEORY_SCORE_EIGENVALUE_H

#include "attcert.h"
#include "interval/interval.h"

/* gamma := max(-lambda, lambda / 8) for a verified real eigenvalue lambda of A = K^T Q / sqrt(k) of a layer with
 * one head; of the eigenvalues that can be verified, the one of largest gamma. *found is false when there is
 * none. Errors: ATTCERT_RESOURCE. */
attcert_status score_eigenvalue_gamma(bool *found, interval *gamma, const attcert_layer *layer, attcert_error *err);

#endif
