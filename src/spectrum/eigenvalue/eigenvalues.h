/* Every eigenvalue of a head's W = Q^T K in a disc. */
#ifndef ATTCERT_SPECTRUM_EIGENVALUE_EIGENVALUES_H
#define ATTCERT_SPECTRUM_EIGENVALUE_EIGENVALUES_H

#include "spectrum/eigenvalue/disc.h"
#include "spectrum/matrix/factors.h"

typedef struct {
  spectrum_disc *disc; /* pairwise disjoint, of falling modulus; the multiplicities add up to d */
  int count, capacity;
} spectrum_eigenvalues;

/* LAPACK proposes eigenvectors of B (factors.h), a certified similarity and clusters (similarity.h, clusters.h) give
 * the discs; the d - k eigenvalues 0 that B does not have are added. Where no proposal leads to a certified
 * similarity, one disc |z| <= norm, norm >= ||W||_2, holds all. Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_eigenvalues_enclose(spectrum_eigenvalues *e, const spectrum_factors *f, mpfr_srcptr norm,
                                            attcert_error *err);
void spectrum_eigenvalues_clear(spectrum_eigenvalues *e);

/* radius contains max_i |lambda_i|. */
void spectrum_eigenvalues_radius(interval *radius, const spectrum_eigenvalues *e);

#endif
