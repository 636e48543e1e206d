/* Elementary functions and activations at a double, enclosed by two doubles: MPFR rounds each step of a monotone
 * expression towards the end it is for. */
#ifndef ATTCERT_ROBUST_RANGE_RANGE_FUNCTION_H
#define ATTCERT_ROBUST_RANGE_RANGE_FUNCTION_H

#include "robust/range/range.h"

#ifdef __FRAMAC__
#include "arithmetic/exponential.acsl"
#endif

/* Proofs trust this contract (proofs/TRUST.md). */
/*@ terminates \true;
    assigns \result \from t;
    ensures rounded: finite_double(t) ==> in_range(\result.lo, \result.hi, rexp(t));
    ensures by_infinity: minus_infinity_double(t) ==> lower_end(\result.lo, 0.0);
    ensures unbounded: claims_nothing_above(t) ==> claims_nothing_above(\result.hi);
    ensures nan: nan_double(t) ==> nan_double(\result.lo) && nan_double(\result.hi); */
range range_exp(double t);

/* A function, and its tangent: the derivative, and in *value the function once more. */

/* 1 / sqrt(t), derivative -t^(-3/2) / 2, for t > 0. */
range range_inverse_sqrt(double t);
range range_inverse_sqrt_tangent(double t, range *value);

range range_tanh(double t);
range range_tanh_tangent(double t, range *value);

range range_relu(double t);
range range_relu_tangent(double t, range *value); /* [0, 1] at 0 */

/* GELU t Phi(t) (D. Hendrycks, K. Gimpel, 2016), derivative Phi(t) + t phi(t). */
range range_gelu(double t);
range range_gelu_tangent(double t, range *value);

/* Its tanh form t / (1 + exp(-2u)), u = sqrt(2/pi) (t + 0.044715 t^3), for 0.044715 as a decimal and as the nearest
 * double. */
range range_gelu_tanh(double t);
range range_gelu_tanh_tangent(double t, range *value);

/* That with 0.79788456, as a decimal or the nearest double, in place of sqrt(2/pi), as BLOOM has it. */
range range_gelu_bloom(double t);
range range_gelu_bloom_tangent(double t, range *value);

#endif
