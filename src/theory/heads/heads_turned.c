/* fl(R K) is within (3/2 gamma_3 + c + s) ||K||_F of R K in the Frobenius norm: two products and a sum an entry,
 * |cos| + |sin| <= 3/2, and a cosine and a sine that are off by c and s. */
#include "theory/heads/heads_turned.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "linalg/rounding/rounding.h"
#include "theory/layer_norms.h"
#include "theory/product_norm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Flops of all norms: seconds. */
static const double MOST_FLOPS = 0x1p33;

/* Offsets key - query: 1 - n at least, n - 1 at most. */
typedef struct {
  int first, last;
} offsets;

static offsets offsets_of(const heads_layer *layer) {
  const int most = layer->network->tokens - 1;
  const attention_heads *const of = layer->of;
  return (offsets){-(of->before < most ? of->before : most), of->after < most ? of->after : most};
}

static bool is_affordable(const heads_layer *layer) {
  const rotary_heads *const q = layer->query.rotary, *const k = layer->key.rotary;
  if (q == NULL || k == NULL || q->pairing != k->pairing || !rotary_rule_same(&q->rule, &k->rule)) return false;
  const offsets o = offsets_of(layer);
  return (o.last - o.first + 1.0) * layer->of->heads * pow(layer->network->dim, 3) <= MOST_FLOPS;
}

/* turned := R K for the offset; returns what an entry's pair misses, relatively. */
static double turn(double *turned, const double *key, const rotary_heads *of, int offset, int k, int d) {
  const rotary_turn *const turns = rotary_heads_turns(of, abs(offset));
  double missed = 0.0;
  memcpy(turned, key, (size_t)k * (size_t)d * sizeof *turned);
  for (int m = 0; m < rotary_heads_pairs(of); m++) {
    const rotary_pair p = rotary_heads_pair(of, 0, m);
    const double c = turns[m].cosine, s = offset < 0 ? -turns[m].sine : turns[m].sine;
    for (int e = 0; e < d; e++) {
      const double x = key[(size_t)p.first * (size_t)d + (size_t)e], y = key[(size_t)p.second * (size_t)d + (size_t)e];
      turned[(size_t)p.first * (size_t)d + (size_t)e] = x * c - y * s;
      turned[(size_t)p.second * (size_t)d + (size_t)e] = y * c + x * s;
    }
    missed = fmax(missed, turns[m].cosine_miss + turns[m].sine_miss);
  }
  return round_up_nonnegative(1.5 * gamma_upper(3.0) + missed, 3.0);
}

/* norm := max(norm, ||(R K)^T Q||) */
static attcert_status add_offset(interval *norm, double *turned, const heads_layer *layer, int h, int offset,
                                 attcert_error *err) {
  const int k = layer->of->head_dim, d = layer->network->dim, g = attention_heads_key_head(layer->of, h);
  const size_t head = (size_t)k * (size_t)d;
  const double *const key = layer->key.map->weight + (size_t)g * head;
  const double *const query = layer->query.map->weight + (size_t)h * head;
  const double missed = turn(turned, key, layer->key.rotary, offset, k, d);
  interval one, miss;
  interval_init(&one, THEORY_PRECISION);
  interval_init(&miss, THEORY_PRECISION);
  const attcert_status status =
      product_norm(&one, (product_factor){turned, true}, (product_factor){query, false}, d, k, d, err);
  const double off = missed * norm_upper(key, head) + 8.0 * (double)head * UNDERFLOW_UNIT;
  interval_set_d(&miss, round_up_nonnegative(off * norm_upper(query, head) + UNDERFLOW_ALLOWANCE, 5.0));
  interval_add(&one, &one, &miss);
  interval_max(norm, norm, &one);
  interval_clear(&miss);
  interval_clear(&one);
  return status;
}

attcert_status heads_turned_norm(interval *norm, const heads_layer *layer, int h, attcert_error *err) {
  if (!is_affordable(layer)) return ATTCERT_OK;
  const size_t k = (size_t)layer->of->head_dim, d = (size_t)layer->network->dim;
  double *const turned = array_new(ARRAY_COUNT(k, d), sizeof *turned, err, "the keys of a head");
  if (turned == NULL) return ATTCERT_RESOURCE;
  const offsets o = offsets_of(layer);
  attcert_status status = ATTCERT_OK;
  interval largest;
  interval_init(&largest, THEORY_PRECISION);
  for (int offset = o.first; offset <= o.last && status == ATTCERT_OK; offset++)
    status = add_offset(&largest, turned, layer, h, offset, err);
  interval_min(norm, norm, &largest);
  interval_clear(&largest);
  free(turned);
  return status;
}
