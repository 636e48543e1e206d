#include "certify/dense.h"

#include "certify/cholesky_certificate.h"
#include "certify/norm_upward.h"
#include "certify/structured_gram.h"

#include <stdlib.h>

static uint64_t square_bytes(uint64_t side) {
  return side > UINT32_MAX                           ? UINT64_MAX
         : side * side > UINT64_MAX / sizeof(double) ? UINT64_MAX
                                                     : side * side * sizeof(double);
}

uint64_t dense_bytes(const attcert_layer *layer, int n) {
  const uint64_t square = square_bytes((uint64_t)n * (uint64_t)layer->out_dim);
  const uint64_t rest = 2 * midpoint_layer_diagonal_bytes(layer, n) + midpoint_layer_bytes(layer, n, 53) +
                        structured_gram_bytes(layer, n);
  return square > UINT64_MAX - rest ? UINT64_MAX : square + rest;
}

/* lambda >= the largest eigenvalue of the Gram matrix G~, of which *error >= ||G~ - J~ J~^T||_2 is computed too. */
static attcert_status gram_upper(mpfr_t lambda, double *error, const midpoint_layer *m, double sigma,
                                 const attcert_options *options, attcert_error *err) {
  const size_t side = (size_t)structured_gram_side(m);
  double *const g = side > SIZE_MAX / sizeof(double) / side ? NULL : malloc(side * side * sizeof(double));
  if (g == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: the Gram matrix of side %zu", side);
  attcert_status status = structured_gram(g, error, m, options, err);
  if (status == ATTCERT_OK) status = largest_eigenvalue_upper(lambda, g, (int)side, sigma * sigma, options, err);
  free(g);
  return status;
}

attcert_status dense_upper(mpfr_t upper, midpoint_layer *m, double sigma, const attcert_options *options,
                           attcert_error *err) {
  mpfr_set_inf(upper, 1);
  double radius = 0.0, error = 0.0;
  attcert_status status = m->f == NULL ? midpoint_layer_diagonal(m, err) : ATTCERT_OK;
  if (status == ATTCERT_OK) status = midpoint_layer_radius(&radius, m, err);
  if (status == ATTCERT_OK) status = gram_upper(upper, &error, m, sigma, options, err);
  if (status != ATTCERT_OK) {
    mpfr_set_inf(upper, 1);
    return status;
  }
  norm_from_scaled_eigenvalue(upper, error, radius, m->exponent);
  return ATTCERT_OK;
}
