#include "network/attention/step_attention_weights.h"

#include "certify/enclosure/attention_enclosure.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "linalg/rounding/upward.h"

#include <math.h>

attention_place attention_place_of(const attention_heads *of, int number, int keys) {
  const int row = number / of->heads, h = number % of->heads, g = attention_heads_key_head(of, h);
  const int token = of->token >= 0 ? of->token : row;
  const step_keys attended = attention_heads_keys(of, token, keys);
  return (attention_place){.of = of,
                           .head = h,
                           .token = token,
                           .row = row,
                           .query = h * of->head_dim,
                           .key = g * of->head_dim,
                           .value = g * of->value_dim,
                           .output = h * of->value_dim,
                           .first = attended.first,
                           .count = attended.count};
}

void step_attention_enclose_scale(const attention_heads *of, step_scratch *scratch) {
  interval_set_d(&scratch->t[0], of->divided_by);
  interval_sqrt(&scratch->t[0], &scratch->t[0]);
  if (of->curve != NULL) interval_set_d(&scratch->t[1], of->cap);
}

void step_attention_enclose_scores(interval *out, const interval *z, const step_enclosure *x, const attention_place *at,
                                   int from, int dim, step_scratch *scratch) {
  for (int j = 0; j < at->count; j++)
    score_enclosure(&out[j], z, step_entry(x, at->first + j, from), &scratch->t[0], 1, dim, &scratch->ws);
}

/* s[j] becomes c(s_j), slope[j] contains c'(s_j). */
static void enclose_curve(interval *s, interval *slope, const attention_heads *of, int count, step_scratch *scratch) {
  for (int j = 0; j < count; j++) {
    if (of->curve == NULL) {
      interval_set_si(&slope[j], 1);
      continue;
    }
    interval_div(&scratch->t[2], &s[j], &scratch->t[1], &scratch->ws);
    of->curve->enclose(&s[j], &slope[j], &scratch->t[2], &scratch->ws);
    interval_mul(&s[j], &s[j], &scratch->t[1], &scratch->ws);
  }
}

static void add_bias(interval *s, const attention_place *at, step_scratch *scratch) {
  for (int j = 0; j < at->count && at->of->bias != NULL; j++) {
    const double bias = attention_heads_bias(at->of, at->head, at->token, at->first + j);
    interval_set_d(&scratch->t[2], bias);
    interval_add(&s[j], &s[j], &scratch->t[2]);
    if (at->of->bias_low == NULL) continue;
    const double low = attention_heads_bias_low(at->of, at->head, at->token, at->first + j);
    const double error = upward_mul(BIAS_LOW_ERROR, fabs(bias));
    interval_set_d(&scratch->t[2], low);
    mpfr_sub_d(scratch->t[2].lo, scratch->t[2].lo, error, MPFR_RNDD);
    mpfr_add_d(scratch->t[2].hi, scratch->t[2].hi, error, MPFR_RNDU);
    interval_add(&s[j], &s[j], &scratch->t[2]);
  }
}

void step_attention_enclose_weights(interval *weight, interval *slope, const step_enclosure *const *x,
                                    const attention_place *at, step_scratch *scratch) {
  const interval *const query = step_entry(x[0], at->row, at->query);
  step_attention_enclose_scores(weight, query, x[1], at, at->key, at->of->head_dim, scratch);
  enclose_curve(weight, slope, at->of, at->count, scratch);
  add_bias(weight, at, scratch);
  if (at->of->sink != NULL) interval_set_d(&weight[at->count], at->of->sink[at->head]);
  softmax_enclosure(weight, attention_heads_weights(at->of, at->count), scratch->precision, &scratch->ws);
}
