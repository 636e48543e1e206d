/* Activations and their derivatives over intervals of MPFR numbers: value contains phi(x), slope phi'(x) for all x in
 * t. Neither is t or the other. */
#ifndef ATTCERT_ROBUST_RANGE_RANGE_ENCLOSURE_H
#define ATTCERT_ROBUST_RANGE_RANGE_ENCLOSURE_H

#include "interval/interval.h"

void range_enclose_gelu(interval *value, interval *slope, const interval *t, interval_scratch *ws);
void range_enclose_gelu_tanh(interval *value, interval *slope, const interval *t, interval_scratch *ws);
void range_enclose_gelu_bloom(interval *value, interval *slope, const interval *t, interval_scratch *ws);
void range_enclose_relu(interval *value, interval *slope, const interval *t, interval_scratch *ws);
void range_enclose_tanh(interval *value, interval *slope, const interval *t, interval_scratch *ws);

#endif
