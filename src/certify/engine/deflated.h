/* The deflated engine: upper bound of ||J||_2 without the Gram matrix of side N, from some hundreds or thousands of vectors
 * (linalg/deflation.h). */
#ifndef ATTCERT_DEFLATED_H
#define ATTCERT_DEFLATED_H

#include "certify/engine/krylov_basis.h"
#include "certify/jacobian/jacobian_errors.h"

/* A basis under way. The factored Jacobian must outlive it, and it must not move. */
typedef struct {
  structured_jacobian jacobian;
  jacobian_errors errors;
  krylov_basis basis;
  int capacity; /* vectors that memory has room for */
} deflated_basis;

/* Bytes beyond the factored Jacobian for a basis of the least useful size. */
uint64_t deflated_bytes(const attcert_layer *layer, int n);

/* An empty basis that may grow to `memory` bytes beyond the factored Jacobian. Errors: ATTCERT_RESOURCE. */
attcert_status deflated_init(deflated_basis *t, const factored_jacobian *m, uint64_t memory, attcert_error *err);
void deflated_clear(deflated_basis *t);

/* Begins the basis, until it gives a direction u (n x d, unit) and an estimate sigma of ||J~|| that are likely to be within `width`,
 * uncertified: u = J~^T z / ||J~^T z|| for the Ritz vector z of J~ J~^T that belongs to its largest Ritz value, sigma^2. *settled:
 * they are set; not all spectra let some hundreds of vectors do that. Errors: ATTCERT_RESOURCE. */
attcert_status deflated_propose(double *u, double *sigma, bool *settled, deflated_basis *t, double width,
                                const attcert_options *options, attcert_error *err);

/* upper >= ||J||_2. sigma: an estimate of ||J~||. The basis grows until the bound is within `width` of sigma, memory is used up or
 * nothing is gained; once. Errors: ATTCERT_RESOURCE. */
attcert_status deflated_upper(mpfr_t upper, deflated_basis *t, double sigma, double width,
                              const attcert_options *options, attcert_error *err);

#endif
