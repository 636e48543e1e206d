/* See layer_norms.h. */
#include "theory/layer_norms.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "linalg/blas/blas_probe.h"
#include "theory/product_norm.h"

#include <stdlib.h>
#include <string.h>

void layer_norms_divide_sqrt(interval *x, int k) {
  interval root;
  interval_scratch ws;
  interval_init(&root, THEORY_PRECISION);
  interval_scratch_init(&ws, THEORY_PRECISION);
  interval_set_si(&root, k);
  interval_sqrt(&root, &root);
  interval_div(x, x, &root, &ws);
  interval_scratch_clear(&ws);
  interval_clear(&root);
}

/* ||W_h||: columns h k .. h k + k - 1 of W_O. */
static attcert_status head_output_norm(interval *norm, const attcert_layer *layer, int h, attcert_error *err) {
  const size_t k = (size_t)layer->head_dim, width = (size_t)layer->heads * k, rows = (size_t)layer->out_dim;
  double *const w = array_new(ARRAY_COUNT(rows, k), sizeof *w, err, "a %zu x %zu matrix", rows, k);
  if (w == NULL) return ATTCERT_RESOURCE;
  for (size_t i = 0; i < rows; i++)
    memcpy(w + i * k, layer->output_weight + i * width + (size_t)h * k, k * sizeof(double));
  const attcert_status status = product_norm_plain(norm, w, layer->out_dim, layer->head_dim, err);
  free(w);
  return status;
}

static attcert_status head_norms_set(head_norms *norms, const attcert_layer *layer, int h, attcert_error *err) {
  const int k = layer->head_dim, d = layer->dim;
  const size_t first = (size_t)h * (size_t)k * (size_t)d;
  const product_factor key = {layer->key_weight + first, true}, query = {layer->query_weight + first, false};
  attcert_status status = product_norm_plain(&norms->value, layer->value_weight + first, k, d, err);
  if (status == ATTCERT_OK) status = product_norm(&norms->score, key, query, d, k, d, err);
  layer_norms_divide_sqrt(&norms->score, k);
  if (status == ATTCERT_OK && layer->output_weight != NULL) status = head_output_norm(&norms->output, layer, h, err);
  return status;
}

attcert_status layer_norms_allocate(layer_norms *norms, int heads, attcert_error *err) {
  *norms = (layer_norms){
      .head = array_new((size_t)heads, sizeof(head_norms), err, "a list of the norms of %d heads", heads)};
  if (norms->head == NULL) return ATTCERT_RESOURCE;
  norms->heads = heads;
  interval_init(&norms->output, THEORY_PRECISION);
  interval_set_si(&norms->output, 1);
  for (int h = 0; h < heads; h++) {
    interval_init(&norms->head[h].value, THEORY_PRECISION);
    interval_init(&norms->head[h].score, THEORY_PRECISION);
    interval_init(&norms->head[h].output, THEORY_PRECISION);
    interval_set_si(&norms->head[h].output, 1);
  }
  return ATTCERT_OK;
}

attcert_status layer_norms_init(layer_norms *norms, const attcert_layer *layer, attcert_error *err) {
  *norms = (layer_norms){0};
  attcert_status status = blas_probe_once(err);
  if (status == ATTCERT_OK) status = layer_norms_allocate(norms, layer->heads, err);
  if (status != ATTCERT_OK) return status;
  if (layer->output_weight != NULL)
    status =
        product_norm_plain(&norms->output, layer->output_weight, layer->out_dim, layer->heads * layer->head_dim, err);
  for (int h = 0; status == ATTCERT_OK && h < layer->heads; h++)
    status = head_norms_set(&norms->head[h], layer, h, err);
  if (status != ATTCERT_OK) layer_norms_clear(norms);
  return status;
}

void layer_norms_clear(layer_norms *norms) {
  if (norms->head == NULL) return;
  for (int h = 0; h < norms->heads; h++) {
    interval_clear(&norms->head[h].value);
    interval_clear(&norms->head[h].score);
    interval_clear(&norms->head[h].output);
  }
  interval_clear(&norms->output);
  free(norms->head);
  *norms = (layer_norms){0};
}

void layer_norms_combine_heads(interval *bound, const interval *head, const layer_norms *norms) {
  interval sum, term;
  interval_scratch ws;
  interval_init(&sum, THEORY_PRECISION);
  interval_init(&term, THEORY_PRECISION);
  interval_scratch_init(&ws, THEORY_PRECISION);
  interval_set_zero(bound);
  for (int h = 0; h < norms->heads; h++) {
    interval_sqr(&term, &head[h], &ws);
    interval_add(bound, bound, &term);
    interval_mul(&term, &head[h], &norms->head[h].output, &ws);
    interval_add(&sum, &sum, &term);
  }
  interval_sqrt(bound, bound);
  interval_mul(bound, bound, &norms->output, &ws);
  interval_min(bound, bound, &sum);
  interval_scratch_clear(&ws);
  interval_clear(&term);
  interval_clear(&sum);
}
