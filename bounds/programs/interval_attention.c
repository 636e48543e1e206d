/* See interval_attention.h. */
#include "interval_attention.h"

#include "certify/enclosure/attention_enclosure.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"

/* out[h][i][r] contains row h k + r of W x_i + b; bias may be NULL. */
static attcert_status project_intervals(interval *out, const double *weight, const double *bias, const interval *x,
                                        const layer_enclosure *e, attcert_error *err) {
  const size_t d = (size_t)e->dim, k = (size_t)e->head_dim;
  point *const row = point_vec_new(d, e->precision);
  if (row == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a row of %d weights", e->dim);
  interval_scratch ws;
  interval shift;
  interval_scratch_init(&ws, e->precision);
  interval_init(&shift, e->precision);
  for (int h = 0; h < e->heads; h++) {
    for (size_t r = 0; r < k; r++) {
      const size_t at = (size_t)h * k + r;
      point_vec_set_d(row, weight + at * d, d);
      interval_set_d(&shift, bias != NULL ? bias[at] : 0.0);
      for (int i = 0; i < e->n; i++) {
        interval *const entry = &out[layer_enclosure_vec(e, h, i) + r];
        interval_dot_mixed(entry, x + (size_t)i * d, row, d, &ws);
        interval_add(entry, entry, &shift);
      }
    }
  }
  interval_clear(&shift);
  interval_scratch_clear(&ws);
  point_vec_free(row);
  return ATTCERT_OK;
}

static void attend(layer_enclosure *e) {
  interval_scratch ws;
  interval root;
  interval_scratch_init(&ws, e->precision);
  interval_init(&root, e->precision);
  layer_enclosure_root(&root, e);
  for (int h = 0; h < e->heads; h++) {
    const size_t first = layer_enclosure_vec(e, h, 0);
    for (int i = 0; i < e->n; i++) {
      const size_t here = layer_enclosure_vec(e, h, i);
      const attention_row row = {.n = attended_keys(e->mask, i, e->n),
                                 .k = e->head_dim,
                                 .q = e->q + here,
                                 .keys = e->k + first,
                                 .values = e->v + first,
                                 .root = &root};
      attention_row_enclosure(e->p + layer_enclosure_row(e, h, i), e->y + here, row, e->precision, &ws);
    }
  }
  interval_clear(&root);
  interval_scratch_clear(&ws);
}

attcert_status interval_attention_init(layer_enclosure *e, const attcert_layer *layer, const interval *x, int n,
                                       mpfr_prec_t precision, attcert_error *err) {
  const size_t rows = (size_t)layer->heads * (size_t)n, count = rows * (size_t)layer->head_dim;
  *e = (layer_enclosure){.n = n,
                         .dim = layer->dim,
                         .heads = layer->heads,
                         .head_dim = layer->head_dim,
                         .mask = layer->mask,
                         .precision = precision,
                         .q = interval_vec_new(count, precision),
                         .k = interval_vec_new(count, precision),
                         .v = interval_vec_new(count, precision),
                         .y = interval_vec_new(count, precision),
                         .p = interval_vec_new(rows * (size_t)n, precision)};
  attcert_status status = ATTCERT_OK;
  if (e->q == NULL || e->k == NULL || e->v == NULL || e->y == NULL || e->p == NULL)
    status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: attention of %d tokens in intervals", n);
  if (status == ATTCERT_OK) status = project_intervals(e->q, layer->query_weight, layer->query_bias, x, e, err);
  if (status == ATTCERT_OK) status = project_intervals(e->k, layer->key_weight, layer->key_bias, x, e, err);
  if (status == ATTCERT_OK) status = project_intervals(e->v, layer->value_weight, NULL, x, e, err);
  if (status == ATTCERT_OK)
    attend(e);
  else
    layer_enclosure_clear(e);
  return status;
}

/* channels (H k) := y_i + b_V of all heads, side by side. */
static void join_heads(interval *channels, const attcert_layer *layer, const layer_enclosure *e, int i) {
  const size_t k = (size_t)e->head_dim;
  interval bias;
  interval_init(&bias, e->precision);
  for (int h = 0; h < e->heads; h++) {
    for (size_t r = 0; r < k; r++) {
      const size_t at = (size_t)h * k + r;
      interval_set_d(&bias, layer->value_bias != NULL ? layer->value_bias[at] : 0.0);
      interval_add(&channels[at], &e->y[layer_enclosure_vec(e, h, i) + r], &bias);
    }
  }
  interval_clear(&bias);
}

attcert_status interval_attention_output(interval *out, const attcert_layer *layer, const layer_enclosure *e,
                                         attcert_error *err) {
  const size_t width = (size_t)e->heads * (size_t)e->head_dim, rows = (size_t)layer->out_dim;
  interval *const channels = interval_vec_new(width, e->precision);
  point *const weight = point_vec_new(rows * width, e->precision);
  attcert_status status = ATTCERT_OK;
  if (channels == NULL || weight == NULL)
    status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: an output projection of %zu x %zu", rows, width);
  interval_scratch ws;
  interval bias;
  interval_scratch_init(&ws, e->precision);
  interval_init(&bias, e->precision);
  if (status == ATTCERT_OK) point_vec_set_d(weight, layer->output_weight, rows * width);
  for (int i = 0; i < e->n && status == ATTCERT_OK; i++) {
    join_heads(channels, layer, e, i);
    for (size_t o = 0; o < rows; o++) {
      interval *const entry = &out[(size_t)i * rows + o];
      interval_dot_mixed(entry, channels, weight + o * width, width, &ws);
      interval_set_d(&bias, layer->output_bias != NULL ? layer->output_bias[o] : 0.0);
      interval_add(entry, entry, &bias);
    }
  }
  interval_clear(&bias);
  interval_scratch_clear(&ws);
  point_vec_free(weight);
  interval_vec_free(channels);
  return status;
}
