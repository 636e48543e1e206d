/* Upper bound of the spectral norm of an entrywise non-negative matrix that is known by its products with vectors. */
#ifndef ATTCERT_LINALG_OPERATOR_NONNEGATIVE_NORM_H
#define ATTCERT_LINALG_OPERATOR_NONNEGATIVE_NORM_H

#include "attcert.h"
#include "linalg/operator/linear_operator.h"

/* Power steps, at most. */
enum { NONNEGATIVE_STEPS = 6 };

/* *bound >= ||A||_2^2 = rho(A^T A) for A >= 0 whose products with x >= 0 sum non-negative terms with at most
 * `roundings` roundings on the way to an entry. Collatz-Wielandt: rho(B) <= max_i (B x)_i / x_i for B >= 0 and
 * any x > 0; the least over a few power steps from x = 1, until one gains less than a hundredth (Coq:
 * `collatz_wielandt`). Errors: ATTCERT_RESOURCE.
 *
 * Underflow, of a matrix A whose inner products have p <= `roundings` terms. In y = A^T z, z = A x, every product of
 * the second inner product may lose half an underflow unit, p units in an entry at most (Coq: `inner_product`), where
 * round_up_nonnegative adds 2 `roundings` + 1 of them. What the first one loses, p 2^-1074 in z_i, is multiplied by
 * a_ij: as y_j has the terms a_ij^2 x_j >= 2^-7 a_ij^2, that is together less than p 2^-107 of y_j, covered by the
 * relative unit with which the largest ratio is rounded up, and p 2^-2034 a row, covered by the unit left over (Coq:
 * `loss_between_factors`, s = 2^-960). An operator that is itself a product of matrices, whose losses the next one
 * enlarges, adds an allowance of its own. */
attcert_status nonnegative_norm_squared(double *bound, const linear_operator *a, double roundings, attcert_error *err);

/* A symmetric matrix B = A A^T or A^T A of such an A: y = B x as two products with A, which may fail. */
typedef struct {
  int side;
  attcert_status (*apply)(void *context, double *y, const double *x, attcert_error *err);
  void *context;
  double roundings; /* of one of the two products */
} nonnegative_square;

/* *bound >= rho(B) likewise, for a B whose products take long: the first step that lowers the bound by less than `gain`
 * of it is the last one. Errors: ATTCERT_RESOURCE, those of apply. */
attcert_status nonnegative_radius(double *bound, const nonnegative_square *b, double gain, attcert_error *err);

#endif
