/* Squares of deviations as symbols. Where e_k = f_k . u for a vector u of ||u||_2^2 <= R, which stands for all symbols
 * of a row (form_ellipsoid), eta_k = q_k e_k^2 obeys, for any x,
 *
 *   sum_k x_k eta_k = <sum_k x_k q_k f_k f_k^T, u u^T> <= R ||sum_k x_k q_k f_k f_k^T||_F = R (x^T H x)^(1/2),
 *   H_kl = q_k q_l (f_k . f_l)^2.
 *
 * So with C C^T >= H the vector eta is C zeta for a zeta of ||zeta||_2 <= R: a closed convex set has what its support
 * function allows. Squares of different directions add up there as orthogonal vectors do, where bounds of the entries
 * add their sizes. */
#ifndef ATTCERT_ROBUST_OPERATION_OPERATION_SQUARES_H
#define ATTCERT_ROBUST_OPERATION_OPERATION_SQUARES_H

#include "robust/operation/operation.h"

enum { OPERATION_MOST_SQUARES = 1024 }; /* beyond, finding C takes too long */

/* How many symbols `count` squares get in a row that depends on so many columns of the perturbation. */
static inline int operation_squares_width(int count, int input) {
  return input > 0 && count <= OPERATION_MOST_SQUARES ? count : 0;
}

typedef struct {
  const double *square; /* [count]: q */
  const double *linear; /* [count, columns]: f, each number rounded once */
  int count, columns;
} operation_squares;

/* About the norm of (q_k ||f_k||^2)_k. */
double operation_squares_size(const operation_squares *of);

/* c (count x count): its lower triangle becomes that of C, the other numbers have no meaning. false: no such matrix was
 * found. */
bool operation_squares_factor(double *c, const operation_squares *of);

#endif
