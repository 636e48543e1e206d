/* Disjoint discs around clusters of eigenvalues.
 *
 * Rows of S = T^-1 X^-1 M X T are divided into clusters. For an eigenvalue z of S some cluster c has
 *   || (S_cc - z)^-1 ||^-1 <= delta_c := max_(i in c) sum_(j not in c) |S_ij|     (or z is an eigenvalue of S_cc)
 * in the norm of largest row sums (D. G. Feingold, R. S. Varga, Block diagonally dominant matrices and generalizations
 * of the Gerschgorin circle theorem, Pacific J. Math. 12, 1962), and where the set of such z of c is disjoint from the
 * others' it holds as many eigenvalues as c has rows: the blocks outside the diagonal can be shrunk to 0 continuously.
 * With N = S_cc - mu and 2^q at least the side of c, for rho = |z - mu|,
 *   || (S_cc - z)^-1 || = || sum_(m >= 0) N^m / (z - mu)^(m+1) ||
 *                      <= 1/rho prod_(t < q) (1 + ||N^(2^t)|| / rho^(2^t)) / (1 - ||N^(2^q)|| / rho^(2^q)) =: f(rho),
 * which falls as rho grows: delta_c f(rho) < 1 with ||N^(2^q)|| < rho^(2^q) puts the set of c within rho of mu. For one
 * row it is Gershgorin's disc; for a Jordan block, N^(2^q) is 0 but for roundings. Clusters whose discs meet are
 * joined, until none do. */
#ifndef ATTCERT_SPECTRUM_EIGENVALUE_CLUSTERS_H
#define ATTCERT_SPECTRUM_EIGENVALUE_CLUSTERS_H

#include "spectrum/eigenvalue/disc.h"
#include "spectrum/eigenvalue/similarity.h"

/* disc[0 .. *count - 1], initialised, of k: pairwise disjoint, together all k eigenvalues of M. Errors:
 * ATTCERT_RESOURCE. */
attcert_status spectrum_clusters_enclose(spectrum_disc *disc, int *count, const spectrum_similarity *s,
                                         attcert_error *err);

#endif
