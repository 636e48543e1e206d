/* Elementary functions and activations at a double, enclosed by two doubles: MPFR rounds each step of a monotone
 * expression towards the end it is for. */
#ifndef ATTCERT_RANGE_FUNCTION_H
#define ATTCERT_RANGE_FUNCTION_H

#include "robust/range/range.h"

range range_exp(double t);
range range_log(double t); /* t > 0 */

/* 1 / sqrt(t) and its derivative -t^(-3/2) / 2, for t > 0. */
range range_inverse_sqrt(double t);
range range_inverse_sqrt_slope(double t);

range range_tanh(double t);
range range_tanh_slope(double t);

range range_relu(double t);
range range_relu_slope(double t); /* [0, 1] at 0 */

/* GELU t Phi(t) (D. Hendrycks, K. Gimpel, 2016) and its derivative Phi(t) + t phi(t). */
range range_gelu(double t);
range range_gelu_slope(double t);

/* Its tanh form t / (1 + exp(-2u)), u = sqrt(2/pi) (t + 0.044715 t^3), for 0.044715 as a decimal and as the nearest
 * double. */
range range_gelu_tanh(double t);
range range_gelu_tanh_slope(double t);

#endif
