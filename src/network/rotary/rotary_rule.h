/* How fast the pairs of a rotary position embedding turn, as plain data: frequencies and angles are exact functions of
 * stored numbers, enclosed as closely as asked for. */
#ifndef ATTCERT_NETWORK_ROTARY_ROTARY_RULE_H
#define ATTCERT_NETWORK_ROTARY_ROTARY_RULE_H

#include "interval/interval.h"
#include "network/step_format.h"

typedef struct rotary_rule rotary_rule;

/* Slower turns for longer texts than a model was trained on: a frequency f becomes
 *     f ((1 - s) / factor + s),   s = (length f / (2 pi) - low) / (high - low), but at least 0 and at most 1:
 * pairs that turn more than `high` times on the trained length stay, those that turn less than `low` times are slower
 * by the factor (A. Dubey et al., The Llama 3 herd of models, 2024). low = high = 0: all are (S. Chen et al., Extending
 * context window of large language models via positional interpolation, 2023). factor = 1: none is.
 * Or by the numbers of the pairs in place of their turns (B. Peng et al., YaRN, ICLR 2024):
 *     s = 1 - (m - first) / (last - first), but at least 0 and at most 1,
 *     first = max(0, x(high)),   last = min(dim - 1, x(low)),   x(t) = dim log(length / (2 pi t)) / (2 log base),
 * the pair that turns t times on the trained length, rounded downward for `first` and upward for `last` where `whole`;
 * last = first + 1/1000 where both are the same; and cosines and sines are multiplied by `amplitude`, or where that is
 * 0, by slope log(factor) / 10 + 1.
 * Or each pair by a number of its own (Y. Ding et al., LongRoPE, ICML 2024): f becomes f / divisor[m], and cosines and
 * sines are multiplied by `amplitude`, or where that is 0, by
 *     sqrt(1 + log(extent / length) / log length) = sqrt(log extent / log length), but at least 1. */
typedef struct {
  double factor;    /* at least 1 */
  double low, high; /* 0 <= low < high, or both 0; by_pair and whole: 0 < low <= high */
  double length;    /* positive */
  bool by_pair;     /* 0 < low, 1 < base */
  bool whole;
  double amplitude; /* where by_pair or of divisors; at least 0 */
  double slope;     /* at least 0, which stands for 1 */
  /* [pairs], positive; NULL: none. Then the factor is 1, by_pair false, and 1 < length where the amplitude is 0 */
  const double *divisor;
  double extent; /* of divisors; positive */
} rotary_scaling;

struct rotary_rule {
  /* f contains the frequency of pair m, narrow for its precision. */
  void (*frequency)(interval *f, const rotary_rule *rule, int m, interval_scratch *ws);
  /* A bound of the relative error of position times frequency where both are computed in the format. */
  double (*error)(const rotary_rule *rule, int m, const step_format *format);
  double base; /* positive */
  int dim;     /* how many entries of a head rotate */
  int still;   /* how many behind them have the angle 0, and so the amplitude alone; even, 0 where there are divisors */
  rotary_scaling scaling;
};

/* base^(-2 m / dim) (J. Su et al., RoFormer, 2021). */
rotary_rule rotary_rule_powers(double base, int dim);

/* The same, slower. The rule keeps the divisors' address; a step of it has them copied. */
rotary_rule rotary_rule_scaled(double base, int dim, const rotary_scaling *scaling);

/* Of pair m of all of them: the rule's own, or the angle 0 without an error. */
void rotary_rule_frequency(interval *f, const rotary_rule *rule, int m, interval_scratch *ws);
double rotary_rule_error(const rotary_rule *rule, int m, const step_format *format);

/* Of a rule by pairs: s of pair m, before it is held between 0 and 1 (outside of where the ends certainly are, it is at
 * least 1 or at most 0 whether they are apart or not); t: scratch. And what scaling adds to the error of a frequency
 * that is computed in the format but for the ends, in float64. */
void rotary_rule_pair_share(interval *s, interval *t, const rotary_rule *rule, int m, interval_scratch *ws);
double rotary_rule_pair_error(const rotary_rule *rule, int m, const step_format *format);

/* Whether cosines and sines are multiplied by something, and what that is; 1 otherwise. */
static inline bool rotary_rule_is_amplified(const rotary_rule *rule) {
  return rule->scaling.by_pair || rule->scaling.divisor != NULL;
}
bool rotary_rule_amplitude(interval *amplitude, const rotary_rule *rule, interval_scratch *ws);

/* Whether both have the same frequencies, amplitudes and errors. */
bool rotary_rule_same(const rotary_rule *a, const rotary_rule *b);

/* The bits with which the frequency times `position` has an error of about 2^-bits. */
mpfr_prec_t rotary_rule_precision(const rotary_rule *rule, int position, mpfr_prec_t bits);

/* cosine and sine contain cos and sin of position times any number of f. ws is at least as precise as f. */
void rotary_rule_turn(interval *cosine, interval *sine, const interval *f, int position, interval_scratch *ws);

#endif
