/* <math.h> as the proofs see it: the classification of doubles, in the terms of double.acsl, and what of the rest the
 * proved files use. Frama-C finds this file in place of its own, whose isfinite always says yes over real numbers and
 * whose INFINITY is a contradiction there. */
#ifndef ATTCERT_SPEC_LIBC_MODEL_MATH_H
#define ATTCERT_SPEC_LIBC_MODEL_MATH_H

#include "arithmetic/double.acsl"

/*@ terminates \true;
    assigns \result \from x;
    ensures finite: \result != 0 <==> finite_double(x); */
int model_isfinite(double x);
#define isfinite(x) model_isfinite(x)

/*@ terminates \true;
    assigns \result \from x;
    ensures nan: \result != 0 <==> nan_double(x); */
int model_isnan(double x);
#define isnan(x) model_isnan(x)

/*@ terminates \true;
    assigns \result \from \nothing;
    ensures infinite: plus_infinity_double(\result); */
double model_infinity(void);
#define INFINITY model_infinity()

/*@ terminates \true;
    assigns \result \from \nothing;
    ensures nan: nan_double(\result); */
double model_nan(void);
#define NAN model_nan()

/*@ terminates \true;
    assigns \result \from x;
    ensures magnitude: \result == \abs(x); */
double fabs(double x);

/* x 2^e: nothing is said of the value. */
/*@ terminates \true;
    assigns \result \from x, e; */
double ldexp(double x, int e);

#endif
