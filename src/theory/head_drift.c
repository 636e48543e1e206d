/* ||K^T q|| / sqrt(k) with q = b_Q + Q centre: x -> x - centre makes a ball about the centre one about the origin, and
 * adds Q centre to the query bias; b_K and b_V cancel, whatever they become. */
#include "base/arrays.h"
#include "theory/layer_norms.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"

typedef struct {
  interval_scratch ws;
  point *row, *centre; /* d numbers each */
  interval *query;     /* k */
  interval *gradient;  /* d */
} drift_scratch;

static bool drift_scratch_init(drift_scratch *s, size_t k, size_t d) {
  interval_scratch_init(&s->ws, THEORY_PRECISION);
  s->row = point_vec_new(d, THEORY_PRECISION);
  s->centre = point_vec_new(d, THEORY_PRECISION);
  s->query = interval_vec_new(k, THEORY_PRECISION);
  s->gradient = interval_vec_new(d, THEORY_PRECISION);
  return s->row != NULL && s->centre != NULL && s->query != NULL && s->gradient != NULL;
}

static void drift_scratch_clear(drift_scratch *s) {
  interval_scratch_clear(&s->ws);
  point_vec_free(s->row);
  point_vec_free(s->centre);
  interval_vec_free(s->query);
  interval_vec_free(s->gradient);
}

/* query := b_Q + Q centre. */
static void centre_query(drift_scratch *s, const attcert_layer *layer, size_t first, const double *centre) {
  const size_t k = (size_t)layer->head_dim, d = (size_t)layer->dim;
  if (centre != NULL) point_vec_set_d(s->centre, centre, d);
  for (size_t r = 0; r < k; r++) {
    interval *const q = &s->query[r];
    if (centre != NULL) {
      point_vec_set_d(s->row, layer->query_weight + (first + r) * d, d);
      interval_dot_points(q, s->row, s->centre, d, &s->ws);
    }
    interval_set_d(&s->ws.q, layer->query_bias != NULL ? layer->query_bias[first + r] : 0.0);
    interval_add(q, q, &s->ws.q);
  }
}

/* gradient := K^T query, by rows of K. */
static void key_gradient(drift_scratch *s, const attcert_layer *layer, size_t first) {
  const size_t k = (size_t)layer->head_dim, d = (size_t)layer->dim;
  interval weight;
  interval_init(&weight, THEORY_PRECISION);
  for (size_t r = 0; r < k; r++) {
    const double *const row = layer->key_weight + (first + r) * d;
    for (size_t c = 0; c < d; c++) {
      interval_set_d(&weight, row[c]);
      interval_fma(&s->gradient[c], &s->query[r], &weight, &s->gradient[c], &s->ws);
    }
  }
  interval_clear(&weight);
}

attcert_status head_drift(interval *drift, const attcert_layer *layer, int h, const double *centre,
                          attcert_error *err) {
  const size_t k = (size_t)layer->head_dim, d = (size_t)layer->dim, first = (size_t)h * k;
  interval_set_zero(drift);
  if (centre == NULL && layer->query_bias == NULL) return ATTCERT_OK;
  drift_scratch s;
  const bool allocated = drift_scratch_init(&s, k, d);
  if (allocated) {
    centre_query(&s, layer, first, centre);
    key_gradient(&s, layer, first);
    interval_dot(drift, s.gradient, s.gradient, d, &s.ws);
    interval_sqrt(drift, drift);
    layer_norms_divide_sqrt(drift, layer->head_dim);
  }
  drift_scratch_clear(&s);
  if (allocated) return ATTCERT_OK;
  const uint64_t bytes =
      2 * (uint64_t)point_vec_bytes(d, THEORY_PRECISION) + interval_vec_bytes(k + d, THEORY_PRECISION);
  return array_out_of_memory(err, bytes, "the drift of a head in dimension %d", layer->dim);
}
