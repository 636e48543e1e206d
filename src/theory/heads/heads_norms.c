#include "theory/heads/heads_norms.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "theory/heads/heads_turned.h"
#include "theory/product_norm.h"

#include <stdlib.h>
#include <string.h>

void heads_divisor(interval *divisor, const heads_layer *layer) {
  interval_set_d(divisor, layer->of->divided_by);
  interval_sqrt(divisor, divisor);
}

static void divide_scores(interval *x, const heads_layer *layer) {
  interval divisor;
  interval_scratch ws;
  interval_init(&divisor, THEORY_PRECISION);
  interval_scratch_init(&ws, THEORY_PRECISION);
  heads_divisor(&divisor, layer);
  interval_div(x, x, &divisor, &ws);
  interval_scratch_clear(&ws);
  interval_clear(&divisor);
}

/* ---- of the layer ------------------------------------------------------------------------------------------------ */

static const double *rows_of(const heads_path *path, int first, int dim) {
  return path->map->weight + (size_t)first * (size_t)dim;
}

static attcert_status map_norm(interval *norm, const heads_path *path, int head, int dim, attcert_error *err) {
  const heads_rows rows = heads_path_rows(path, head);
  return product_norm_plain(norm, rows_of(path, rows.first, dim), rows.count, dim, err);
}

/* The head's columns of W_O. */
static attcert_status output_norm(interval *norm, const heads_layer *layer, int h, attcert_error *err) {
  const size_t cols = (size_t)layer->of->value_dim, width = (size_t)layer->of->heads * cols;
  const int rows = network_cols(layer->network, layer->network->count);
  double *const w = array_new(ARRAY_COUNT((size_t)rows, cols), sizeof *w, err, "a %d x %zu matrix", rows, cols);
  if (w == NULL) return ATTCERT_RESOURCE;
  for (size_t i = 0; i < (size_t)rows; i++)
    memcpy(w + i * cols, layer->output->weight + i * width + (size_t)h * cols, cols * sizeof *w);
  const attcert_status status = product_norm_plain(norm, w, rows, layer->of->value_dim, err);
  free(w);
  return status;
}

/* Where nothing is normed. */
static attcert_status score_norm(interval *norm, const heads_layer *layer, int h, const heads_map_norms *map,
                                 attcert_error *err) {
  const int g = attention_heads_key_head(layer->of, h), d = layer->network->dim, k = layer->of->head_dim;
  const product_factor key = {rows_of(&layer->key, g * k, d), true}, query = {rows_of(&layer->query, h * k, d), false};
  attcert_status status;
  interval_scratch ws;
  if (heads_layer_is_bilinear(layer)) {
    status = product_norm(norm, key, query, d, k, d, err);
  } else {
    interval_scratch_init(&ws, THEORY_PRECISION);
    interval_mul(norm, &map->query, &map->key, &ws);
    interval_scratch_clear(&ws);
    status = heads_turned_norm(norm, layer, h, err);
  }
  divide_scores(norm, layer);
  return status;
}

static attcert_status set_head(heads_norms *norms, const heads_layer *layer, int h, attcert_error *err) {
  const attention_heads *const of = layer->of;
  const int g = attention_heads_key_head(of, h), d = layer->network->dim, v = of->value_dim;
  head_norms *const head = &norms->of.head[h];
  attcert_status status = product_norm_plain(&head->value, rows_of(&layer->values, g * v, d), v, d, err);
  if (status == ATTCERT_OK) status = map_norm(&norms->map[h].query, &layer->query, h, d, err);
  if (status == ATTCERT_OK) status = map_norm(&norms->map[h].key, &layer->key, g, d, err);
  if (status == ATTCERT_OK && !heads_layer_is_normed(layer))
    status = score_norm(&head->score, layer, h, &norms->map[h], err);
  return status == ATTCERT_OK ? output_norm(&head->output, layer, h, err) : status;
}

attcert_status heads_norms_init(heads_norms *norms, const heads_layer *layer, attcert_error *err) {
  const int heads = layer->of->heads;
  *norms = (heads_norms){.map = array_new((size_t)heads, sizeof *norms->map, err, "the norms of %d heads", heads)};
  attcert_status status = norms->map != NULL ? layer_norms_allocate(&norms->of, heads, err) : ATTCERT_RESOURCE;
  if (status != ATTCERT_OK) {
    free(norms->map);
    return status;
  }
  for (int h = 0; h < heads; h++) {
    interval_init(&norms->map[h].query, THEORY_PRECISION);
    interval_init(&norms->map[h].key, THEORY_PRECISION);
  }
  const int rows = network_cols(layer->network, layer->network->count);
  status = product_norm_plain(&norms->of.output, layer->output->weight, rows, heads * layer->of->value_dim, err);
  for (int h = 0; status == ATTCERT_OK && h < heads; h++) status = set_head(norms, layer, h, err);
  if (status != ATTCERT_OK) heads_norms_clear(norms);
  return status;
}

void heads_norms_clear(heads_norms *norms) {
  for (int h = 0; h < norms->of.heads; h++) {
    interval_clear(&norms->map[h].query);
    interval_clear(&norms->map[h].key);
  }
  free(norms->map);
  layer_norms_clear(&norms->of);
  *norms = (heads_norms){0};
}

/* ---- drifts ------------------------------------------------------------------------------------------------------ */

/* Those of a layer with one plain head, whose queries are rows of `from`, and whose keys are rows of `to`. */
static attcert_status drift_of(interval *drift, const heads_layer *layer, const heads_path *from, int from_head,
                               const heads_path *to, int to_head, const double *centre, attcert_error *err) {
  const int k = layer->of->head_dim, d = layer->network->dim;
  const double *const bias = from->map->bias;
  interval root;
  interval_scratch ws;
  const attcert_layer head = {.dim = d,
                              .heads = 1,
                              .head_dim = k,
                              .query_weight = (double *)rows_of(from, from_head * k, d),
                              .key_weight = (double *)rows_of(to, to_head * k, d),
                              .query_bias = bias != NULL ? (double *)bias + (size_t)from_head * (size_t)k : NULL};
  const attcert_status status = head_drift(drift, &head, 0, centre, err);
  interval_init(&root, THEORY_PRECISION);
  interval_scratch_init(&ws, THEORY_PRECISION);
  interval_set_si(&root, k);
  interval_sqrt(&root, &root);
  interval_mul(drift, drift, &root, &ws);
  divide_scores(drift, layer);
  interval_scratch_clear(&ws);
  interval_clear(&root);
  return status;
}

attcert_status heads_query_drift(interval *drift, const heads_layer *layer, int h, const double *centre,
                                 attcert_error *err) {
  const int g = attention_heads_key_head(layer->of, h);
  return drift_of(drift, layer, &layer->query, h, &layer->key, g, centre, err);
}

attcert_status heads_key_drift(interval *drift, const heads_layer *layer, int h, const double *centre,
                               attcert_error *err) {
  const int g = attention_heads_key_head(layer->of, h);
  return drift_of(drift, layer, &layer->key, g, &layer->query, h, centre, err);
}
