/* Scaling by powers of two, exact in MPFR. */
#ifndef ATTCERT_SPECTRUM_EIGENVALUE_BALANCE_H
#define ATTCERT_SPECTRUM_EIGENVALUE_BALANCE_H

#include "attcert.h"
#include "interval/interval.h"

/* m (k x k, not all 0) := 2^-exponent D^-1 m D with a diagonal D of powers of two that LAPACK's dgebal proposes (B. N.
 * Parlett, C. Reinsch, Balancing a matrix, Numer. Math. 13, 1969); the largest entry is about 1. Eigenvalues are
 * divided by 2^exponent, exactly. Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_balance(long *exponent, interval *m, size_t k, attcert_error *err);

#endif
