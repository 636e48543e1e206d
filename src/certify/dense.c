#include "certify/dense.h"

#include "certify/cholesky_certificate.h"
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

/* upper >= ||J~||_2 */
static attcert_status midpoint_upper(mpfr_t upper, const midpoint_layer *m, double sigma,
                                     const attcert_options *options, attcert_error *err) {
  const size_t side = (size_t)structured_gram_side(m);
  double *const g = side > SIZE_MAX / sizeof(double) / side ? NULL : malloc(side * side * sizeof(double));
  if (g == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: the Gram matrix of side %zu", side);
  double error = 0.0;
  attcert_status status = structured_gram(g, &error, m, options, err);
  if (status == ATTCERT_OK) status = largest_eigenvalue_upper(upper, g, (int)side, sigma * sigma, options, err);
  free(g);
  mpfr_add_d(upper, upper, error, MPFR_RNDU);
  mpfr_sqrt(upper, upper, MPFR_RNDU);
  return status;
}

attcert_status dense_upper(mpfr_t upper, midpoint_layer *m, double sigma, const attcert_options *options,
                           attcert_error *err) {
  mpfr_set_inf(upper, 1);
  double radius = 0.0;
  attcert_status status = m->f == NULL ? midpoint_layer_diagonal(m, err) : ATTCERT_OK;
  if (status == ATTCERT_OK) status = midpoint_layer_radius(&radius, m, err);
  if (status == ATTCERT_OK) status = midpoint_upper(upper, m, sigma, options, err);
  if (status != ATTCERT_OK) {
    mpfr_set_inf(upper, 1);
    return status;
  }
  mpfr_add_d(upper, upper, radius, MPFR_RNDU);
  mpfr_mul_2si(upper, upper, m->exponent, MPFR_RNDU);
  return ATTCERT_OK;
}
