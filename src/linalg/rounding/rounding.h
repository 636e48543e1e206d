/* Upper bounds computed in plain double, round to nearest.
 *
 * u = 2^-53 is the unit roundoff, gamma_m = m u / (1 - m u). An expression in sums and products that took m roundings
 * on its longest path is off by at most gamma_m times the same expression in absolute values, up to underflow; where
 * no number is negative, exact <= (1 + 2 m u) computed (Coq: `rounded_expression`, `power_le_gamma`,
 * `nonnegative_expression`; an inner product in any order: `inner_product`).
 *
 * Underflow. A sum of doubles in the subnormal range is exact and no square root of a double lies there; a product, a
 * quotient or a scaling by a power of two whose result lies there is off by at most half the underflow unit 2^-1074
 * (Coq: `double_sum`, `double_root`, `double_operation`, `double_scaling`). Bounds cover that in one of two ways:
 *  - UNDERFLOW_UNIT times the number of operations. So in round_up_nonnegative, and in every sum of squares, as a root
 *    enlarges what is small: sqrt(2^-1074) = 2^-537.
 *  - UNDERFLOW_ALLOWANCE, once, for all that underflows between stored quantities and the next stored quantity, or its
 *    radius: fewer than 2^60 operations, each off by less than 2^-1074 and then multiplied by less than 2^300, together
 *    less than 2^(60 - 1074 + 300) = 2^-714. What follows a product is at most
 *      - in the scaled factors of a Jacobian, with entries of at most 2, and an orthonormal basis: eight matrices (a
 *        block is a product of four, and a Gram matrix counts them twice). One of fewer than 2^48 numbers has a norm
 *        of at most 2^25, eight of them 2^200;
 *      - in a layer in double before scaling, with inputs below 2^100 in magnitude: the norm of one stored query, key,
 *        value or weight: a query is below 2^100 2^100 2^48 + 2^100 < 2^249.
 *    Divided by what such a layer scales with, at most 2^400, the allowance is still a normal number: no radius is
 *    lost.
 * What is multiplied by more than that, by the reciprocal of a small number, is counted. */
#ifndef ATTCERT_LINALG_ROUNDING_ROUNDING_H
#define ATTCERT_LINALG_ROUNDING_ROUNDING_H

#include <math.h>
#include <stddef.h>

#define UNIT_ROUNDOFF 0x1p-53
#define UNDERFLOW_UNIT 0x1p-1074
#define UNDERFLOW_ALLOWANCE 0x1p-600

/* A double >= the exact value of a non-negative expression whose computed value is x, after at most m roundings and
 * as many products: at least (1 + 2 m u) x + m 2^-1074 for m u <= 1/4, as three more relative units and one more
 * underflow unit cover the roundings made here (Coq: `round_up_nonnegative`). */
static inline double round_up_nonnegative(double x, double m) {
  if (!(m <= 0x1p50)) return INFINITY;
  return x * (1.0 + (m + 3.0) * 0x1p-52) + (m + 1.0) * UNDERFLOW_UNIT;
}

/* A double >= gamma_m = m u / (1 - m u); +inf when m u >= 1/2. */
static inline double gamma_upper(double m) {
  const double mu = m * UNIT_ROUNDOFF;
  return mu < 0.5 ? round_up_nonnegative(mu / (1.0 - mu), 2.0) : INFINITY;
}

/* A double >= the l2 norm of x[0], x[stride], ..., n entries (Coq: `nonnegative_inner_product`, `double_root`). */
static inline double norm_upper_strided(const double *x, size_t n, size_t stride) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += x[i * stride] * x[i * stride];
  return round_up_nonnegative(sqrt(round_up_nonnegative(sum, (double)n)), 1.0);
}

static inline double norm_upper(const double *x, size_t n) {
  return norm_upper_strided(x, n, 1);
}

#endif
