/* Certified upper bound of the largest eigenvalue of a symmetric double matrix G.
 *
 * LAPACK proposes L with M = tau^2 I - G ~ L L^T; nothing is assumed of it. L L^T is positive semidefinite, so with
 * R = M - L L^T:  lambda_max(G) <= tau^2 + ||R||_2  for every L whatever. R is evaluated by GEMM, panel by panel of b
 * columns, each product subtracted with one rounding; with B panels (error model of GEMM: design note in
 * proofs/TRUST.md)
 *   |R~ - R| <= gamma_{b+B} |L| |L|^T + gamma_B |R~| + 2 n 2^-1074,
 * the last for n products of which each may underflow. M's diagonal is rounded, tau^2 - g_ii to within u |m_ii|. So
 *   lambda_max(G) <= tau^2 + u max |m_ii| + (1 + gamma_B) ||R~||_inf + gamma_{b+B} || |L| ||_2^2 + 2 n^2 2^-1074
 * (Coq: `chunked_residual`, `double_of_result`, `computed_certificate`). Panels keep the constant near b + n/b instead
 * of n. */
#ifndef ATTCERT_LINALG_EIGENVALUE_LARGEST_EIGENVALUE_H
#define ATTCERT_LINALG_EIGENVALUE_LARGEST_EIGENVALUE_H

#include "linalg/panel/panel_store.h"

/* Where a symmetric matrix comes from. `fill` writes its entries on and below the diagonal in the panels that are in
 * memory, the same at every call: panels are overwritten by the factor, and filled again when a factorisation fails.
 * `improve` (NULL: none) makes an estimate of lambda_max(G), of any quality, from w[n], not 0, along which G is no less
 * than the shift of a factorisation that failed, w^T G w >= tau^2 w^T w, as far as roundings go. Both are collective in
 * a group. */
typedef struct {
  int n;
  attcert_status (*fill)(void *context, const panels *lower, attcert_error *err);
  attcert_status (*improve)(void *context, double *guess, const double *w, attcert_error *err);
  void *context;
} symmetric_source;

/* Bytes of scratch beside the panels in memory, of a matrix of this shape; file: not all of them are. */
uint64_t largest_eigenvalue_bytes(const panels *shape, bool file, int threads);

/* guess: an estimate of lambda_max(G), of any quality (a good one makes the bound tight). Where it turns out to be too
 * small, the source improves it a few times; then the shift is raised.
 * upper >= lambda_max(G); falls back to ||G||_inf when no factorisation succeeds. The same to the last bit for all
 * windows of the storage; several processes may differ in the rounding of || |L| ||, but all get the same number.
 * Errors: ATTCERT_RESOURCE, those of fill. */
attcert_status largest_eigenvalue_upper_of_source(mpfr_t upper, const symmetric_source *g, double guess,
                                                  const panel_storage *storage, const attcert_options *options,
                                                  attcert_error *err);

/* The same in memory, by this process alone, of an n x n row-major array, of which only the upper
 * triangle (j >= i) is looked at. */
attcert_status largest_eigenvalue_upper(mpfr_t upper, const double *g, int n, double guess,
                                        const attcert_options *options, attcert_error *err);

#endif
