#include "certify/explicit/explicit_jacobian_memory.h"

#include "base/parallel.h"
#include "interval/interval_vec.h"

#include <stdlib.h>

uint64_t explicit_jacobian_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  const size_t tokens = (size_t)n, d = (size_t)layer->dim, out = (size_t)layer->out_dim, heads = (size_t)layer->heads;
  const size_t k = (size_t)layer->head_dim, height = layer->output_weight != NULL ? out : k;
  return (uint64_t)point_vec_bytes(tokens * out * tokens * d, precision) +
         interval_vec_bytes(heads * (height * d + 2 * tokens * (height + d)), precision) +
         point_vec_bytes(2 * heads * d * k, precision) + /* K^T and Q^T */
         (uint64_t)parallel_threads(0) *
             interval_vec_bytes(out * tokens * d, precision) + /* rows of the tokens at work */
         (uint64_t)tokens * out * tokens * d * sizeof(double); /* explicit_jacobian_to_double */
}

bool jacobian_builder_init(jacobian_builder *b, explicit_jacobian *j, const attcert_layer *layer,
                           const layer_enclosure *e) {
  const size_t heads = (size_t)e->heads, n = (size_t)e->n, d = (size_t)e->dim, k = (size_t)e->head_dim;
  const bool output = layer->output_weight != NULL;
  const size_t height = output ? (size_t)layer->out_dim : k;
  *j = (explicit_jacobian){.rows = e->n * layer->out_dim, .cols = e->n * e->dim};
  mpfr_init2(j->radius, 64);
  j->mid = point_vec_new((size_t)j->rows * (size_t)j->cols, e->precision);
  *b = (jacobian_builder){.layer = layer, .e = e, .j = j, .height = (int)height};
  atomic_init(&b->failed, false);
  b->value = interval_vec_new(heads * height * d, e->precision);
  b->channel = interval_vec_new(heads * n * height, e->precision);
  b->mean = interval_vec_new(heads * n * height, e->precision);
  b->g = interval_vec_new(heads * n * d, e->precision);
  b->h = interval_vec_new(heads * n * d, e->precision);
  b->keys = point_vec_new(heads * d * k, e->precision);
  b->queries = point_vec_new(heads * d * k, e->precision);
  b->squares = calloc(n, sizeof(mpfr_t));
  if (output) b->output = point_vec_new((size_t)layer->out_dim * heads * k, e->precision);
  for (size_t i = 0; b->squares != NULL && i < n; i++) {
    mpfr_init2(b->squares[i], 64);
    mpfr_set_zero(b->squares[i], 1);
  }
  return b->value != NULL && b->channel != NULL && b->mean != NULL && b->g != NULL && b->h != NULL &&
         b->squares != NULL && b->keys != NULL && b->queries != NULL && (!output || b->output != NULL) &&
         j->mid != NULL;
}

void jacobian_builder_clear(jacobian_builder *b) {
  interval_vec_free(b->value);
  interval_vec_free(b->channel);
  interval_vec_free(b->mean);
  interval_vec_free(b->g);
  interval_vec_free(b->h);
  point_vec_free(b->output);
  point_vec_free(b->keys);
  point_vec_free(b->queries);
  for (int i = 0; b->squares != NULL && i < b->e->n; i++) mpfr_clear(b->squares[i]);
  free(b->squares);
}

void explicit_jacobian_clear(explicit_jacobian *j) {
  point_vec_free(j->mid);
  mpfr_clear(j->radius);
  j->mid = NULL;
}
