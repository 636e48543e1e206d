#include "network/attention/step_attention_weights.h"

#include "certify/enclosure/attention_enclosure.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "linalg/rounding/upward.h"

#include <math.h>

/* Head h of a token in a list. */
static void set_listed(attention_place *at, const attention_pair_lists *p, int h, int token) {
  const size_t row = (size_t)(p->lists > 1 ? h : 0) * (size_t)p->rows + (size_t)token;
  at->listed = p->key + p->begin[row];
  at->first = at->listed[0];
  at->count = (int)(p->begin[row + 1] - p->begin[row]);
}

attention_place attention_place_of(const attention_heads *of, int number, int keys) {
  const int row = number / of->heads, h = number % of->heads, g = attention_heads_key_head(of, h);
  const int token = attention_heads_position(of, row);
  const step_keys attended = attention_heads_keys(of, token, keys);
  attention_place at = {.of = of,
                        .head = h,
                        .token = token,
                        .row = row,
                        .query = h * of->head_dim,
                        .key = g * of->head_dim,
                        .value = g * of->value_dim,
                        .output = h * of->value_dim,
                        .first = attended.first,
                        .count = attended.count};
  if (of->pairs != NULL && of->pairs->lists > 0) set_listed(&at, of->pairs, h, token);
  return at;
}

/* From the last key on: none goes to a place before its own. */
void step_attention_spread(interval *row, const attention_place *at) {
  for (int j = at->count - 1; j >= 0; j--) {
    const int key = attention_place_key(at, j);
    if (key == at->first + j) continue;
    interval_set(&row[key], &row[at->first + j]);
    interval_set_zero(&row[at->first + j]);
  }
}

void step_attention_enclose_scale(const attention_heads *of, step_scratch *scratch) {
  interval_set_d(&scratch->t[0], of->divided_by);
  interval_sqrt(&scratch->t[0], &scratch->t[0]);
  if (of->curve != NULL) interval_set_d(&scratch->t[1], of->cap);
}

void step_attention_enclose_scores(interval *out, const interval *z, const step_enclosure *x, const attention_place *at,
                                   int from, int dim, step_scratch *scratch) {
  for (int j = 0; j < at->count; j++)
    score_enclosure(&out[j], z, step_entry(x, attention_place_key(at, j), from), &scratch->t[0], 1, dim, &scratch->ws);
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
    const int key = attention_place_key(at, j);
    const double bias = attention_heads_bias(at->of, at->head, at->token, key);
    interval_set_d(&scratch->t[2], bias);
    interval_add(&s[j], &s[j], &scratch->t[2]);
    if (at->of->bias_low == NULL) continue;
    const double low = attention_heads_bias_low(at->of, at->head, at->token, key);
    const double error = upward_mul(BIAS_LOW_ERROR, fabs(bias));
    interval_set_d(&scratch->t[2], low);
    mpfr_sub_d(scratch->t[2].lo, scratch->t[2].lo, error, MPFR_RNDD);
    mpfr_add_d(scratch->t[2].hi, scratch->t[2].hi, error, MPFR_RNDU);
    interval_add(&s[j], &s[j], &scratch->t[2]);
  }
}

static void add_pair_bias(interval *s, const attention_place *at, step_scratch *scratch) {
  for (int j = 0; j < at->count && at->of->pairs != NULL && at->of->pairs->biases > 0; j++) {
    interval_set_d(&scratch->t[2], attention_heads_pair_bias(at->of, at->head, at->token, attention_place_key(at, j)));
    interval_add(&s[j], &s[j], &scratch->t[2]);
  }
}

void step_attention_enclose_shift(interval *out, double high, double low, double error) {
  interval_set_d(out, high);
  mpfr_add_d(out->lo, out->lo, low, MPFR_RNDD);
  mpfr_add_d(out->hi, out->hi, low, MPFR_RNDU);
  mpfr_sub_d(out->lo, out->lo, error, MPFR_RNDD);
  mpfr_add_d(out->hi, out->hi, error, MPFR_RNDU);
}

void step_attention_add_shift(interval *row, const interval *z, const double *high, const double *low,
                              const attention_place *at, int j, step_scratch *scratch) {
  interval *const entry = &scratch->t[3];
  const double *const a = attention_place_shift(at, high, j), *const b = attention_place_shift(at, low, j);
  for (int c = 0; c < at->of->head_dim; c++) {
    step_attention_enclose_shift(entry, a[c], b[c], at->of->shifts->error);
    interval_mul(entry, entry, z, &scratch->ws);
    interval_add(&row[c], &row[c], entry);
  }
}

/* sum += z . the shift of key number j. */
static void add_shift_product(interval *sum, const interval *z, const double *high, const double *low,
                              const attention_place *at, int j, step_scratch *scratch) {
  interval *const entry = &scratch->t[3];
  const double *const a = attention_place_shift(at, high, j), *const b = attention_place_shift(at, low, j);
  for (int c = 0; c < at->of->head_dim; c++) {
    step_attention_enclose_shift(entry, a[c], b[c], at->of->shifts->error);
    interval_mul(entry, entry, &z[c], &scratch->ws);
    interval_add(sum, sum, entry);
  }
}

/* s[j] += (q . u + w . k_j) / divisor. */
static void add_shifts(interval *s, const step_enclosure *const *x, const attention_place *at, step_scratch *scratch) {
  const attention_shifts *const of = at->of->shifts;
  interval *const sum = &scratch->t[4];
  for (int j = 0; j < at->count && of != NULL; j++) {
    interval_set_si(sum, 0);
    if (of->key != NULL)
      add_shift_product(sum, step_entry(x[0], at->row, at->query), of->key, of->key_low, at, j, scratch);
    if (of->query != NULL)
      add_shift_product(sum, step_entry(x[1], attention_place_key(at, j), at->key), of->query, of->query_low, at, j,
                        scratch);
    interval_div(sum, sum, &scratch->t[0], &scratch->ws);
    interval_add(&s[j], &s[j], sum);
  }
}

void step_attention_enclose_weights(interval *weight, interval *slope, const step_enclosure *const *x,
                                    const attention_place *at, step_scratch *scratch) {
  const interval *const query = step_entry(x[0], at->row, at->query);
  step_attention_enclose_scores(weight, query, x[1], at, at->key, at->of->head_dim, scratch);
  add_shifts(weight, x, at, scratch);
  enclose_curve(weight, slope, at->of, at->count, scratch);
  add_bias(weight, at, scratch);
  add_pair_bias(weight, at, scratch);
  if (at->of->sink != NULL) interval_set_d(&weight[at->count], at->of->sink[at->head]);
  softmax_enclosure(weight, attention_heads_weights(at->of, at->count), scratch->precision, &scratch->ws);
}
