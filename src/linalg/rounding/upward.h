/* One operation on non-negative doubles, rounded upward: the result is at least the exact value for the exact operands
 * given, underflow included (round_up_nonnegative, rounding.h). Every operation is monotone in its operands, or
 * falls in a divisor, so that a nesting of these is an upper bound where the operands are upper bounds (divisors: lower
 * ones). NaN stays NaN, and infinity infinity. */
#ifndef ATTCERT_LINALG_ROUNDING_UPWARD_H
#define ATTCERT_LINALG_ROUNDING_UPWARD_H

#include "linalg/rounding/rounding.h"

static inline double upward_add(double a, double b) {
  return round_up_nonnegative(a + b, 1.0);
}

static inline double upward_add3(double a, double b, double c) {
  return round_up_nonnegative(a + b + c, 2.0);
}

static inline double upward_mul(double a, double b) {
  return round_up_nonnegative(a * b, 1.0);
}

/* b > 0; infinite otherwise. */
static inline double upward_div(double a, double b) {
  return b > 0.0 ? round_up_nonnegative(a / b, 1.0) : INFINITY;
}

/* (1 + a) (1 + b) - 1 = a + b + a b. */
static inline double upward_compound(double a, double b) {
  return upward_add3(a, b, upward_mul(a, b));
}

/* 1 / (1 - a) - 1 = a / (1 - a) for a <= 1/2, where 1 - a is rounded by at most half an ulp of 1; infinite beyond. */
static inline double upward_inverse(double a) {
  return a <= 0.5 ? upward_div(a, (1.0 - a) * (1.0 - 4.0 * UNIT_ROUNDOFF)) : INFINITY;
}

#endif
