#include "certify/dense.h"

#include "certify/cholesky_certificate.h"
#include "certify/norm_upward.h"
#include "certify/structured_gram.h"

uint64_t dense_bytes(const attcert_layer *layer, int n) {
  const uint64_t out = (uint64_t)layer->out_dim, triangle = panels_bytes((uint64_t)n * out);
  const uint64_t rest = 2 * midpoint_layer_diagonal_bytes(layer, n) + midpoint_layer_bytes(layer, n, 53) +
                        structured_gram_bytes(layer, n) + out * out * sizeof(double);
  return triangle > UINT64_MAX - rest ? UINT64_MAX : triangle + rest;
}

/* The Gram matrix G~ and how far it is from J~ J~^T: *error >= ||G~ - J~ J~^T||_2. */
typedef struct {
  const midpoint_layer *m;
  const attcert_options *options;
  double error;
} gram_source;

static attcert_status fill_gram(void *context, const panels *lower, attcert_error *err) {
  gram_source *const g = context;
  return structured_gram(lower, &g->error, g->m, g->options, err);
}

attcert_status dense_upper(mpfr_t upper, midpoint_layer *m, double sigma, const attcert_options *options,
                           attcert_error *err) {
  mpfr_set_inf(upper, 1);
  double radius = 0.0;
  gram_source gram = {.m = m, .options = options};
  const symmetric_source source = {structured_gram_side(m), fill_gram, &gram};
  attcert_status status = m->f == NULL ? midpoint_layer_diagonal(m, err) : ATTCERT_OK;
  if (status == ATTCERT_OK) status = midpoint_layer_radius(&radius, m, err);
  if (status == ATTCERT_OK) status = largest_eigenvalue_upper_from(upper, &source, sigma * sigma, options, err);
  if (status != ATTCERT_OK) {
    mpfr_set_inf(upper, 1);
    return status;
  }
  norm_from_scaled_eigenvalue(upper, gram.error, radius, m->exponent);
  return ATTCERT_OK;
}
