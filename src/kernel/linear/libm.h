/* The two functions of libm that the kernel calls, with what the proofs assume of them: in the real model they are the
 * real exponential and square root. Use this in place of <math.h>. */
#ifndef ATTCERT_KERNEL_LINEAR_LIBM_H
#define ATTCERT_KERNEL_LINEAR_LIBM_H

#ifdef __FRAMAC__
#include "arithmetic/exponential.acsl"
#include "arithmetic/square_root_lemmas.acsl"
#endif

/*@ terminates \true;
    assigns \nothing;
    ensures result: \result == rexp(x); */
double exp(double x);

/*@ requires domain: 0.0 <= x;
    terminates \true;
    assigns \nothing;
    ensures result: \result == rroot(x); */
double sqrt(double x);

#endif
