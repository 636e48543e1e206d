#include "theory/heads/heads_ball.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "linalg/rounding/upward.h"
#include "network/attention/step_attention_weights.h"

#include <math.h>
#include <stdlib.h>

/* ---- who attends to whom ----------------------------------------------------------------------------------------- */

bool heads_ball_has_mask(attcert_mask *mask, const heads_layer *layer) {
  const attention_heads *const of = layer->of;
  const bool listed = of->pairs != NULL && of->pairs->lists > 0;
  *mask = of->after == 0 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE;
  return of->before == ATTENTION_ALL && (of->after == 0 || of->after == ATTENTION_ALL) && !listed;
}

static attention_place row_of(const heads_layer *layer, int h, int i) {
  return attention_place_of(layer->of, i * layer->of->heads + h, layer->network->tokens);
}

/* share[j] += 1 / |N(i)| and rows[j]++ for the rows i of head h that attend to token j. */
static void add_shares(interval *share, int *rows, const heads_layer *layer, int h, ball_scratch *s) {
  for (int i = 0; i < layer->network->tokens; i++) {
    const attention_place at = row_of(layer, h, i);
    interval_set_si(&s->t, 1);
    interval_set_si(&s->u, at.count);
    interval_div(&s->t, &s->t, &s->u, &s->ws);
    for (int number = 0; number < at.count; number++) {
      const int j = attention_place_key(&at, number);
      interval_add(&share[j], &share[j], &s->t);
      rows[j]++;
    }
  }
}

/* m and nu of head h: the largest sum of 1 / |N(i)| over the rows that attend to a token, the most such rows. */
static attcert_status set_share(ball_head *b, const heads_layer *layer, int h, ball_scratch *s, attcert_error *err) {
  attcert_mask mask;
  const int n = layer->network->tokens;
  b->tokens = n;
  if (heads_ball_has_mask(&mask, layer)) {
    ball_head_set_share(b, mask, s);
    return ATTCERT_OK;
  }
  interval *const share = interval_vec_new((size_t)n, THEORY_PRECISION);
  int *const rows = array_new((size_t)n, sizeof *rows, err, "the rows that attend to %d tokens", n);
  if (share != NULL && rows != NULL) {
    add_shares(share, rows, layer, h, s);
    interval_set_zero(&b->share);
    b->tokens = 1;
    for (int j = 0; j < n; j++) {
      if (rows[j] > b->tokens) b->tokens = rows[j];
      interval_max(&b->share, &b->share, &share[j]);
    }
  }
  const attcert_status status =
      share != NULL && rows != NULL ? ATTCERT_OK
      : rows == NULL
          ? ATTCERT_RESOURCE
          : array_out_of_memory(err, interval_vec_bytes((size_t)n, THEORY_PRECISION), "the shares of %d tokens", n);
  interval_vec_free(share);
  free(rows);
  return status;
}

/* ---- the scores -------------------------------------------------------------------------------------------------- */

/* Between which two numbers what is added to the score of a pair lies. */
typedef struct {
  double lo, hi;
} bias_ends;

static bias_ends bias_of(const attention_heads *of, int h, int i, int j) {
  const double b = attention_heads_bias(of, h, i, j), of_pair = attention_heads_pair_bias(of, h, i, j);
  const double rest = of->bias_low == NULL ? 0.0
                                           : upward_add(fabs(attention_heads_bias_low(of, h, i, j)),
                                                        upward_mul(BIAS_LOW_ERROR, fabs(b)));
  const double lo = rest > 0.0 ? nextafter(b - rest, -INFINITY) : b;
  const double hi = rest > 0.0 ? nextafter(b + rest, INFINITY) : b;
  if (of_pair == 0.0) return (bias_ends){lo, hi};
  return (bias_ends){nextafter(lo + of_pair, -INFINITY), nextafter(hi + of_pair, INFINITY)};
}

/* bias := the largest less the smallest of the head's biases that some row adds. */
static void set_bias(interval *bias, const heads_layer *layer, int h, ball_scratch *s) {
  double lo = INFINITY, hi = -INFINITY;
  for (int i = 0; i < layer->network->tokens; i++) {
    const attention_place at = row_of(layer, h, i);
    for (int j = 0; j < at.count; j++) {
      const bias_ends b = bias_of(layer->of, h, i, attention_place_key(&at, j));
      lo = fmin(lo, b.lo);
      hi = fmax(hi, b.hi);
    }
  }
  interval_set_d(bias, hi);
  interval_set_d(&s->t, lo);
  interval_sub(bias, bias, &s->t);
}

/* A bilinear form of tokens: as plain heads, but that under a curve h_ij keeps what is the same for all j. */
static attcert_status set_bilinear(ball_head *b, const heads_layer *layer, const heads_norms *norms, int h,
                                   const token_ball *at, ball_scratch *s, attcert_error *err) {
  interval drift;
  interval_init(&drift, THEORY_PRECISION);
  attcert_status status = heads_query_drift(&drift, layer, h, at->centre, err);
  if (status == ATTCERT_OK) ball_head_set(b, ATTCERT_MASK_NONE, &norms->of.head[h].score, &drift, at->radius, s);
  if (status == ATTCERT_OK && layer->of->curve != NULL) {
    status = heads_key_drift(&drift, layer, h, at->centre, err);
    interval_set_d(&s->t, at->radius);
    interval_fma(&b->score, &drift, &s->t, &b->score, &s->ws);
  }
  interval_clear(&drift);
  return status;
}

/* out := a b factor / divisor */
static void scaled(interval *out, const interval *a, const interval *b, const interval *factor, const interval *divisor,
                   ball_scratch *s) {
  interval_mul(out, a, b, &s->ws);
  interval_mul(out, out, factor, &s->ws);
  interval_div(out, out, divisor, &s->ws);
}

/* out := R (||A|| R + centre map / divisor) */
static void turned(interval *out, const interval *score, const interval *centre, const interval *map,
                   const interval *radius, const interval *divisor, ball_scratch *s) {
  interval_mul(out, centre, map, &s->ws);
  interval_div(out, out, divisor, &s->ws);
  interval_fma(out, score, radius, out, &s->ws);
  interval_mul(out, out, radius, &s->ws);
}

/* Where nothing is normed, for ||A|| over all offsets: q . k is x'^T A x' and the parts of the centres, and differs by
 * 2 (w + |k_0| |q|), divided. */
static void set_turned(ball_head *b, const interval *score, const heads_reach *q, const heads_reach *k,
                       const interval *radius, const interval *divisor, ball_scratch *s) {
  turned(&b->gradient, score, &q->centre, &k->slope, radius, divisor, s);
  turned(&b->score, score, &k->centre, &q->slope, radius, divisor, s);
  interval_set_si(&s->u, 2);
  scaled(&s->t, &k->centre, &q->size, &s->u, divisor, s);
  interval_fma(&s->t, &s->u, &b->gradient, &s->t, &s->ws);
  interval_min(&b->range, &b->range, &s->t);
}

/* w = R |q| ||dk||, z = R |k| ||dq||, r = 2 |q| |k|, each divided. Where keys do not turn, what a key has in common
 * with that of the centre cancels in r, which 2 w bounds too, and in z where it is in all h_ij, for a linear k_j. */
static attcert_status set_by_sizes(ball_head *b, const heads_layer *layer, const heads_norms *norms, int h,
                                   const token_ball *at, ball_scratch *s, attcert_error *err) {
  const int g = attention_heads_key_head(layer->of, h), d = layer->network->dim;
  const bool turns = layer->query.rotary != NULL || layer->key.rotary != NULL;
  heads_reach q, k;
  interval divisor, radius;
  heads_reach_init(&q);
  heads_reach_init(&k);
  interval_init(&divisor, THEORY_PRECISION);
  interval_init(&radius, THEORY_PRECISION);
  attcert_status status = heads_reach_set(&q, &layer->query, h, &norms->map[h].query, d, at, err);
  if (status == ATTCERT_OK) status = heads_reach_set(&k, &layer->key, g, &norms->map[h].key, d, at, err);
  heads_divisor(&divisor, layer);
  interval_set_d(&radius, at->radius);
  scaled(&b->gradient, &q.size, &k.slope, &radius, &divisor, s);
  interval_set_si(&s->u, 2);
  scaled(&b->range, &q.size, &k.size, &s->u, &divisor, s);
  interval_scale_2exp(&s->t, &b->gradient, 1);
  if (!turns) interval_min(&b->range, &b->range, &s->t);
  if (!b->by_key) interval_mul(&k.size, &k.slope, &radius, &s->ws);
  scaled(&b->score, &k.size, &q.slope, &radius, &divisor, s);
  if (!heads_layer_is_normed(layer)) set_turned(b, &norms->of.head[h].score, &q, &k, &radius, &divisor, s);
  interval_clear(&radius);
  interval_clear(&divisor);
  heads_reach_clear(&k);
  heads_reach_clear(&q);
  return status;
}

attcert_status heads_ball_set(ball_head *b, const heads_layer *layer, const heads_norms *norms, int h,
                              const token_ball *at, ball_scratch *s, attcert_error *err) {
  b->by_key = heads_layer_is_by_key(layer);
  b->tokens = layer->network->tokens;
  interval_set(&b->value, &norms->of.head[h].value);
  attcert_status status = heads_layer_is_bilinear(layer) ? set_bilinear(b, layer, norms, h, at, s, err)
                                                         : set_by_sizes(b, layer, norms, h, at, s, err);
  if (status != ATTCERT_OK) return status;
  b->by_key = heads_layer_is_by_key(layer);
  if (layer->of->curve != NULL) {
    interval_set_d(&s->t, layer->of->cap);
    interval_scale_2exp(&s->t, &s->t, 1);
    interval_min(&b->range, &b->range, &s->t);
  }
  set_bias(&b->bias, layer, h, s);
  interval_add(&b->range, &b->range, &b->bias);
  status = set_share(b, layer, h, s, err);
  if (status == ATTCERT_OK) ball_head_set_columns(b, s);
  return status;
}
