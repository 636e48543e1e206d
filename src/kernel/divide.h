/* Division with the contract that the proofs use: the quotient is what gives x when multiplied by z. */
#ifndef ATTCERT_DIVIDE_H
#define ATTCERT_DIVIDE_H

#ifdef __FRAMAC__
#include "product.acsl"
#endif

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
