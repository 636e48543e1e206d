/* Upper bounds computed in plain double, round to nearest.
 *
 * u = 2^-53 is the unit roundoff. A sum or product of non-negative numbers that took m roundings satisfies
 * exact <= computed / (1 - u)^m (Higham, Accuracy and Stability, 2nd ed., section 3.1), up to underflow, which loses at
 * most 2^-1075 a product; gamma_m = m u / (1 - m u). */
#ifndef ATTCERT_ROUNDING_H
#define ATTCERT_ROUNDING_H

#include <math.h>
#include <stddef.h>

#define UNIT_ROUNDOFF 0x1p-53

/* A double >= the exact value of a non-negative expression whose computed value is x, after at most m roundings.
 * 1 / (1 - u)^m <= 1 + 2 m u for m u <= 1/4; three more pay for the roundings made here. */
static inline double round_up_nonnegative(double x, double m) {
  if (!(m <= 0x1p50)) return INFINITY;
  return x * (1.0 + (m + 3.0) * 0x1p-52) + (m + 1.0) * 0x1p-1074;
}

/* A double >= gamma_m = m u / (1 - m u); +inf when m u >= 1/2. */
static inline double gamma_upper(double m) {
  const double mu = m * UNIT_ROUNDOFF;
  return mu < 0.5 ? round_up_nonnegative(mu / (1.0 - mu), 2.0) : INFINITY;
}

/* A double >= the l2 norm of x[0], x[stride], ..., n entries. */
static inline double norm_upper_strided(const double *x, size_t n, size_t stride) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += x[i * stride] * x[i * stride];
  return round_up_nonnegative(sqrt(round_up_nonnegative(sum, (double)n)), 1.0);
}

static inline double norm_upper(const double *x, size_t n) {
  return norm_upper_strided(x, n, 1);
}

#endif
