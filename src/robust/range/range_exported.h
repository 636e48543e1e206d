/* Activations as exporters of networks write them, in parts whose constants are float32 numbers. */
#ifndef ATTCERT_ROBUST_RANGE_RANGE_EXPORTED_H
#define ATTCERT_ROBUST_RANGE_RANGE_EXPORTED_H

#include "robust/range/range_line.h"

/* erf t, and t (1 + erf t): GELU is x (1 + erf(x / c)) / 2 = c / 2 times the second at x / c, with c = sqrt 2 or the
 * number that a file has in its place. */
extern const range_curve curve_erf, curve_erf_gated;

/* t (1 + tanh(a (t + b t^3))) / 2 for the float32 numbers a, b next to sqrt(2 / pi) and 0.044715. */
extern const double exported_factor, exported_cubic;
extern const range_curve curve_tanh_gated_float32;

#endif
