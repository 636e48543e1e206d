/* GELU's tanh form with constants of any kind: t (1 + tanh u) / 2 = t / (1 + exp(-2u)), u = factor (t + cubic t^3), as
 * in range_function.h and range_enclosure.h. */
#ifndef ATTCERT_ROBUST_RANGE_RANGE_TANH_GATED_H
#define ATTCERT_ROBUST_RANGE_RANGE_TANH_GATED_H

#include "interval/interval.h"
#include "robust/range/range.h"

range range_tanh_gated(double t, range factor, range cubic);
range range_tanh_gated_tangent(double t, range factor, range cubic, range *value);

/* Neither constant is value or slope. */
void range_enclose_tanh_gated(interval *value, interval *slope, const interval *t, const interval *by,
                              const interval *cubic, interval_scratch *ws);

#endif
