/* Activations t g(t) with a logistic gate g, at a double, as in range_function.h. */
#ifndef ATTCERT_ROBUST_RANGE_RANGE_GATED_H
#define ATTCERT_ROBUST_RANGE_RANGE_GATED_H

#include "interval/interval.h"
#include "robust/range/range.h"

/* SiLU t / (1 + exp(-t)) (S. Elfwing, E. Uchibe, K. Doya, 2018). */
range range_silu(double t);
range range_silu_tangent(double t, range *value);

/* GELU's logistic form t / (1 + exp(-1.702 t)), for 1.702 as a decimal and as the nearest double. */
range range_quick_gelu(double t);
range range_quick_gelu_tangent(double t, range *value);

/* Over intervals, as in range_enclosure.h; 1.702 as a decimal. */
void range_enclose_silu(interval *value, interval *slope, const interval *t, interval_scratch *ws);
void range_enclose_quick_gelu(interval *value, interval *slope, const interval *t, interval_scratch *ws);

#endif
