/* Proposes the top right singular vector of an operator. Nothing is certified here: any vector
 * yields a valid lower bound. */
#ifndef ATTCERT_LINALG_OPERATOR_LANCZOS_H
#define ATTCERT_LINALG_OPERATOR_LANCZOS_H

#include "attcert.h"
#include "linalg/operator/linear_operator.h"

/* vector: unit, a->cols entries; *sigma: its ||A v||, an estimate of ||A||_2 from below up to rounding.
 * Restarted Lanczos on A^T A, or A A^T where that is smaller, with full reorthogonalization (G. Golub, C. Van Loan,
 * Matrix Computations, 4th ed., 10.1), deterministic start. Errors: ATTCERT_RESOURCE. */
attcert_status lanczos_top(double *vector, double *sigma, const linear_operator *a, const attcert_options *options,
                           attcert_error *err);

/* The same from a given start, not 0 (a->cols entries, which may be those of `vector`; NULL: the deterministic one). A
 * start with ||A start|| >= t ||start|| leads to *sigma >= t, up to rounding. */
attcert_status lanczos_top_from(double *vector, double *sigma, const linear_operator *a, const double *start,
                                const attcert_options *options, attcert_error *err);

/* Bytes that lanczos_top takes at most for an operator with `cols` columns. */
uint64_t lanczos_bytes(size_t cols);

#endif
