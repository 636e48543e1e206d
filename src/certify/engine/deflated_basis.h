/* The deflated engine's basis: some hundreds or thousands of vectors in memory, the direction they propose, and the
 * bound's room. */
#ifndef ATTCERT_CERTIFY_ENGINE_DEFLATED_BASIS_H
#define ATTCERT_CERTIFY_ENGINE_DEFLATED_BASIS_H

#include "certify/engine/krylov_basis.h"
#include "certify/jacobian/jacobian_errors.h"

enum { DEFLATED_BASIS_LEAST = 128 /* vectors: fewer are not worth a deflation, where the space has more */ };

/* A basis under way. The factored Jacobian must outlive it, and it must not move. */
typedef struct {
  structured_jacobian jacobian;
  jacobian_errors errors;
  krylov_basis basis;
  int capacity; /* vectors that memory has room for */
} deflated_basis;

/* Bytes beyond the factored Jacobian for a basis of so many vectors, no more than there are, and the bound from it. */
uint64_t deflated_basis_bytes(const attcert_layer *layer, int n, int vectors);

/* An empty basis that may grow to `memory` bytes beyond the factored Jacobian. Errors: ATTCERT_RESOURCE. */
attcert_status deflated_basis_init(deflated_basis *t, const factored_jacobian *m, uint64_t memory, attcert_error *err);
void deflated_basis_clear(deflated_basis *t);

/* Begins the basis, until it gives a direction u (n x d, unit) and an estimate sigma of ||J~|| that are likely to be
 * within `width`, uncertified: u = J~^T z / ||J~^T z|| for the Ritz vector z of J~ J~^T that belongs to its largest
 * Ritz value, sigma^2. *settled: they are set; not all spectra let some hundreds of vectors do that. Errors:
 * ATTCERT_RESOURCE. */
attcert_status deflated_basis_propose(double *u, double *sigma, bool *settled, deflated_basis *t, double width,
                                      const attcert_options *options, attcert_error *err);

#endif
