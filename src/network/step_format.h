/* A floating-point format that a network runs in.
 *
 * Results are computed in one arithmetic and stored in another, which is the same one or coarser: bfloat16 and float16
 * are stored, and computed in float32 inside a step. An operation of an arithmetic obeys
 *
 *   |fl(x) - x| <= unit |x| + tiny   where |x| <= largest
 *
 * (Higham, Accuracy and Stability, 2nd ed., (2.8); Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed.,
 * sections 2.2 and 2.6.1; of float64, Coq: `double_operation`): unit = 2^-bits to nearest. `tiny` covers that a
 * subnormal result is rounded, or flushed to zero, there or where it is read: twice the smallest normal number. float16
 * is stored with subnormal numbers, which no hardware conversion flushes: half of their spacing. */
#ifndef ATTCERT_NETWORK_STEP_FORMAT_H
#define ATTCERT_NETWORK_STEP_FORMAT_H

#include <stdbool.h>

typedef struct {
  int bits;  /* of the significand, the leading one included */
  int least; /* subnormal numbers are multiples of 2^least */
  double unit, tiny, largest;
} step_arithmetic;

typedef struct {
  const char *name;
  step_arithmetic compute, store;
  bool narrows; /* store is coarser than compute: a result is rounded once more */
  double ulp;   /* exp, erf, tanh, atan, pow and 1/sqrt are within so many units in the last place of the exact value */
} step_format;

/* float64, float32, bfloat16 or float16; false: another name. */
bool step_format_named(step_format *format, const char *name, double ulp);

/* gamma_m = m u / (1 - m u) of the arithmetic that computes, rounded up; infinite when m u >= 1/2: a product of m
 * factors 1 + delta or 1 / (1 + delta), |delta| <= u, is within gamma_m of 1 (Coq: `factors_near_1`). */
double step_format_gamma(const step_format *format, double m);

/* (1 + gamma_computed) (1 + gamma_stored) - 1, rounded up: the same for `computed` roundings of the arithmetic that
 * computes and, where it differs, `stored` roundings of the one that stores. */
double step_format_roundings(const step_format *format, double computed, double stored);

/* A relative error of exp, erf, tanh, atan, pow and 1/sqrt: an ulp of a normal number y is at most 2 u |y| (Muller et
 * al., section 2.3.2), and a result is never closer than its rounding is, half of one. */
double step_format_function(const step_format *format);

/* Whether x > 0 and 1 / x are normal numbers, of both arithmetics and by a factor of 2, so that a constant between the
 * two is off by relative errors alone. */
bool step_format_holds(const step_format *format, double x);

/* How much a result that underflows is off once it was computed and may have been stored. */
double step_format_tiny(const step_format *format);

/* The number of the stored arithmetic nearest to x, ties to even; infinite where that overflows. */
double step_format_nearest(const step_format *format, double x);

#endif
