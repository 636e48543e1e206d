/* Multiplication and division as functions, where a proof needs them: provers then see prod and quo instead of
 * non-linear terms. */
#ifndef ATTCERT_KERNEL_LINEAR_ARITHMETIC_H
#define ATTCERT_KERNEL_LINEAR_ARITHMETIC_H

#ifdef __FRAMAC__
#include "arithmetic/product_lemmas.acsl"
#endif

/*@ terminates \true;
    assigns \nothing;
    ensures result: \result == prod(x, y); */
static inline double times(double x, double y) {
  return x * y;
}

/*@ requires divisor: z != 0.0;
    terminates \true;
    assigns \nothing;
    ensures product: prod(\result, z) == x;
    ensures result: \result == quo(x, z);
    ensures positive: 0.0 < x ==> 0.0 < z ==> 0.0 < \result;
    ensures nonnegative: 0.0 <= x ==> 0.0 < z ==> 0.0 <= \result; */
static inline double divide(double x, double z) {
  const double quotient = x / z;
  //@ assert exact: quotient * z == x;
  return quotient;
}

#endif
