/* Turns that are slower by the numbers of their pairs (rotary_scaling's by_pair). */
#ifndef ATTCERT_NETWORK_ROTARY_ROTARY_PAIRS_H
#define ATTCERT_NETWORK_ROTARY_ROTARY_PAIRS_H

#include "network/rotary/rotary_rule.h"

/* s of pair m, before it is held between 0 and 1; t: scratch. Outside of where the ends certainly are, it is at least 1
 * or at most 0 whether they are apart or not. */
void rotary_pairs_share(interval *s, interval *t, const rotary_rule *rule, int m, interval_scratch *ws);

/* What scaling adds to the relative error of a frequency, computed in the format but for the ends, in float64. */
double rotary_pairs_error(const rotary_rule *rule, int m, const step_format *format);

#endif
