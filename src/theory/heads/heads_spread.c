#include "theory/heads/heads_spread.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "linalg/norm/interval_norm.h"
#include "theory/distribution_bound.h"

/* slopes := 2 ||X|| ||A|| + sqrt(n) (||K^T b_Q||, under a curve + ||Q^T b_K||) / divisor */
static attcert_status bilinear_slopes(interval *slopes, const heads_layer *layer, const heads_norms *norms, int h,
                                      const interval *tokens, interval_scratch *ws, attcert_error *err) {
  interval drift, root;
  interval_init(&drift, THEORY_PRECISION);
  interval_init(&root, THEORY_PRECISION);
  attcert_status status = heads_query_drift(slopes, layer, h, NULL, err);
  if (status == ATTCERT_OK && layer->of->curve != NULL) status = heads_key_drift(&drift, layer, h, NULL, err);
  interval_add(slopes, slopes, &drift);
  interval_set_si(&root, layer->network->tokens);
  interval_sqrt(&root, &root);
  interval_mul(slopes, slopes, &root, ws);
  interval_scale_2exp(&root, tokens, 1);
  interval_fma(slopes, &root, &norms->of.head[h].score, slopes, ws);
  interval_clear(&root);
  interval_clear(&drift);
  return status;
}

/* norm := that of the n x k matrix of the head's queries, or keys. */
static attcert_status rows_norm(interval *norm, const heads_input *in, const heads_path *path, int head,
                                attcert_error *err) {
  const step_enclosure *const value = &in->value[path->value];
  step_enclosure rows;
  attcert_status status = step_enclosure_init(&rows, value->rows, path->head_cols, THEORY_PRECISION, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < rows.rows; i++)
    for (int c = 0; c < rows.cols; c++)
      interval_set(step_entry(&rows, i, c), step_entry(value, i, head * path->head_cols + c));
  status = interval_matrix_norm(norm, rows.entry, rows.rows, rows.cols, err);
  step_enclosure_clear(&rows);
  return status;
}

/* slope := the largest ||dq_i / dx_i|| at the input: ||W||, or gain ||W|| / s for the smallest s. */
static void largest_slope(interval *slope, const heads_input *in, const heads_path *path, int head,
                          const interval *map_norm, interval_scratch *ws) {
  const heads_rows rows = heads_path_rows(path, head);
  const step_enclosure *const mapped = &in->value[path->mapped];
  interval s, number;
  interval_set(slope, map_norm);
  if (path->norm == NULL) return;
  interval_init(&s, THEORY_PRECISION);
  interval_init(&number, THEORY_PRECISION);
  for (int i = 0; i < mapped->rows; i++) {
    const interval *const u = step_entry(mapped, i, rows.first);
    interval_dot(&number, u, u, (size_t)rows.count, ws);
    if (i == 0) interval_set(&s, &number);
    interval_min(&s, &s, &number);
  }
  interval_set_si(&number, rows.count);
  interval_div(&s, &s, &number, ws);
  interval_set_d(&number, path->norm->epsilon);
  interval_add(&s, &s, &number);
  interval_sqrt(&s, &s);
  interval_div(slope, slope, &s, ws);
  interval_set_d(&number, heads_path_gain(path, head));
  interval_mul(slope, slope, &number, ws);
  interval_clear(&number);
  interval_clear(&s);
}

/* slopes += the rows of `fixed`, of the norm that they have together, times the largest slope of `moving`, divided. */
static attcert_status add_slope(interval *slopes, const heads_input *in, const heads_path *fixed, int fixed_head,
                                const heads_path *moving, int moving_head, const interval *map_norm,
                                interval_scratch *ws, attcert_error *err) {
  interval rows, slope;
  interval_init(&rows, THEORY_PRECISION);
  interval_init(&slope, THEORY_PRECISION);
  const attcert_status status = rows_norm(&rows, in, fixed, fixed_head, err);
  if (status == ATTCERT_OK) {
    largest_slope(&slope, in, moving, moving_head, map_norm, ws);
    interval_mul(&slope, &slope, &rows, ws);
    heads_divisor(&rows, in->layer);
    interval_div(&slope, &slope, &rows, ws);
    interval_add(slopes, slopes, &slope);
  }
  interval_clear(&slope);
  interval_clear(&rows);
  return status;
}

static attcert_status set_slopes(interval *slopes, const heads_input *in, const heads_norms *norms, int h,
                                 const interval *tokens, interval_scratch *ws, attcert_error *err) {
  const heads_layer *const l = in->layer;
  const int g = attention_heads_key_head(l->of, h);
  if (heads_layer_is_bilinear(l)) return bilinear_slopes(slopes, l, norms, h, tokens, ws, err);
  attcert_status status = add_slope(slopes, in, &l->query, h, &l->key, g, &norms->map[h].key, ws, err);
  if (status == ATTCERT_OK) status = add_slope(slopes, in, &l->key, g, &l->query, h, &norms->map[h].query, ws, err);
  return status;
}

attcert_status heads_spread(interval *bound, const heads_input *in, const heads_norms *norms, int h,
                            const interval *tokens, attcert_error *err) {
  const int n = in->layer->network->tokens;
  distribution_head d;
  interval_scratch ws;
  distribution_head_init(&d);
  interval_scratch_init(&ws, THEORY_PRECISION);
  attcert_status status = interval_matrix_norm(&d.weights, in->weights.entry, n, n, err);
  if (status == ATTCERT_OK) status = set_slopes(&d.slopes, in, norms, h, tokens, &ws, err);
  if (status == ATTCERT_OK) {
    interval_set(&d.tokens, tokens);
    interval_set(&d.value, &norms->of.head[h].value);
    for (int i = 0; i < n; i++) distribution_bound_add_row(&d.spread, step_entry(&in->weights, i, 0), n, &ws);
    distribution_bound(bound, &d, &ws);
  }
  interval_scratch_clear(&ws);
  distribution_head_clear(&d);
  return status;
}
