/* The factors times gain are rounded to double, Q' with |Q' - Q diag(gain)| <= u |Q'| + 2^-1073 an entry (all entries
 * scaled to at most 1; u 1.01 covers that the bound is in terms of the rounded entry), and K' alike, so that
 *   || Q'^T K' - diag(gain) Q^T K diag(gain) ||_F <= (2 e + e^2) ||Q'||_F ||K'||_F + what underflows,  e = 1.01 u. */
#include "spectrum/matrix/folded_norm.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "linalg/blas/blas_probe.h"
#include "linalg/rounding/binary_exponent.h"
#include "linalg/rounding/rounding.h"
#include "theory/product_norm.h"

/* out := factor diag(gain) / 2^*exponent, entries at most 1. */
static void fold(double *out, long *exponent, const double *factor, const double *gain, size_t rows, size_t cols) {
  const long a = exponent_of_doubles(factor, rows * cols), b = exponent_of_doubles(gain, cols);
  *exponent = exponent_product(a, b);
  for (size_t i = 0; i < rows * cols; i++)
    out[i] = *exponent == EXPONENT_OF_ZERO ? 0.0 : scale_double(factor[i], -a) * scale_double(gain[i % cols], -b);
}

/* norm := norm + [-error, error], not below 0. */
static void widen(interval *norm, double error) {
  mpfr_sub_d(norm->lo, norm->lo, error, MPFR_RNDD);
  mpfr_add_d(norm->hi, norm->hi, error, MPFR_RNDU);
  if (mpfr_sgn(norm->lo) < 0) mpfr_set_zero(norm->lo, 1);
}

static attcert_status folded(interval *norm, const attcert_layer *layer, const double *query, const double *key,
                             const double *gain, attcert_error *err) {
  const size_t k = (size_t)layer->head_dim, d = (size_t)layer->dim;
  long query_exponent, key_exponent;
  double *q, *r;
  const array_table arrays = {{ARRAY(q, k, d), ARRAY(r, k, d)}};
  attcert_status status = array_table_allocate(&arrays, err, "two factors of %zu x %zu numbers", k, d);
  if (status != ATTCERT_OK) return status;
  fold(q, &query_exponent, query, gain, k, d);
  fold(r, &key_exponent, key, gain, k, d);
  status = product_norm(norm, (product_factor){q, true}, (product_factor){r, false}, layer->dim, layer->head_dim,
                        layer->dim, err);
  const double rounding = 2.1 * UNIT_ROUNDOFF * norm_upper(q, k * d) * norm_upper(r, k * d);
  widen(norm, round_up_nonnegative(rounding, 2.0) + 0x1p-900);
  const long exponent = exponent_product(query_exponent, key_exponent);
  if (exponent == EXPONENT_OF_ZERO) {
    mpfr_set_zero(norm->lo, 1);
    mpfr_set_zero(norm->hi, 1);
  } else {
    interval_scale_2exp(norm, norm, exponent);
  }
  array_table_release(&arrays);
  return status;
}

attcert_status spectrum_folded_norm(interval *norm, const attcert_layer *layer, int h, const double *gain,
                                    attcert_error *err) {
  const size_t first = (size_t)h * (size_t)layer->head_dim * (size_t)layer->dim;
  const double *const query = layer->query_weight + first, *const key = layer->key_weight + first;
  const attcert_status status = blas_probe_once(err); /* which product_norm rests on */
  if (status != ATTCERT_OK) return status;
  if (gain != NULL) return folded(norm, layer, query, key, gain, err);
  return product_norm(norm, (product_factor){query, true}, (product_factor){key, false}, layer->dim, layer->head_dim,
                      layer->dim, err);
}
