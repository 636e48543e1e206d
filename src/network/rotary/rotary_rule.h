/* How fast the pairs of a rotary position embedding turn, as plain data: frequencies and angles are exact functions of
 * stored numbers, enclosed as closely as asked for. */
#ifndef ATTCERT_NETWORK_ROTARY_ROTARY_RULE_H
#define ATTCERT_NETWORK_ROTARY_ROTARY_RULE_H

#include "interval/interval.h"
#include "network/step_format.h"

typedef struct rotary_rule rotary_rule;

struct rotary_rule {
  /* f contains the frequency of pair m, narrow for its precision. */
  void (*frequency)(interval *f, const rotary_rule *rule, int m, interval_scratch *ws);
  /* A bound of the relative error of position times frequency where both are computed in the format. */
  double (*error)(const rotary_rule *rule, int m, const step_format *format);
  double base; /* positive */
  int dim;     /* how many entries of a head rotate */
};

/* base^(-2 m / dim) (J. Su et al., RoFormer, 2021). */
rotary_rule rotary_rule_powers(double base, int dim);

/* The bits with which the frequency times `position` has an error of about 2^-bits. */
mpfr_prec_t rotary_rule_precision(const rotary_rule *rule, int position, mpfr_prec_t bits);

/* cosine and sine contain cos and sin of position times any number of f. ws is at least as precise as f. */
void rotary_rule_turn(interval *cosine, interval *sine, const interval *f, int position, interval_scratch *ws);

#endif
