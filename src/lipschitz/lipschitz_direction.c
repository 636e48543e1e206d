/* With v = 2^-e u, whose largest entry is in [1/2, 1), and of whose entries far below each is off by 2^-1074 at most:
 *     | ||J u|| 2^-e - ||J v|| | <= ||J|| sqrt(N) 2^-1074,   ||u|| 2^-e = ||v|| to within sqrt(N) 2^-1074,
 * and the computed J v is off by error ||v||. N < 2^62 and ||J|| < 2^100: what underflows is less than 2^-940 ||v||. */
#include "base/arrays.h"
#include "base/environment.h"
#include "certify/direction_check.h"
#include "linalg/blas/blas_probe.h"
#include "linalg/rounding/norm_lower.h"
#include "linalg/rounding/upward.h"
#include "lipschitz/lipschitz.h"
#include "lipschitz/lipschitz_run.h"

#include <math.h>
#include <stdlib.h>

#define UNDERFLOW_SHARE 0x1p-900

/* v := u, of that many entries, times the power of 2. */
static void scale_direction(double *v, const double *u, size_t count) {
  double largest = 0.0;
  int exponent;
  for (size_t k = 0; k < count; k++) largest = fmax(largest, fabs(u[k]));
  frexp(largest, &exponent);
  for (size_t k = 0; k < count; k++) v[k] = ldexp(u[k], -exponent);
}

/* Where products pass several parts, whose norms along the steps may be far too large. */
static attcert_status sharpen(lipschitz_run *r, double *work) {
  const network_part whole = network_linear_whole(&r->jacobian);
  const size_t rows = lipschitz_rows(r, &whole), cols = lipschitz_cols(r, &whole);
  if (r->jacobian.parts < 2 || (rows > LIPSCHITZ_DENSE_SIDE && cols > LIPSCHITZ_DENSE_SIDE)) return ATTCERT_OK;
  return lipschitz_refine_parts(r, lipschitz_dense, work);
}

static attcert_status multiply(mpfr_t lo, mpfr_t hi, const lipschitz_run *r, const double *v, double *image) {
  const network_part whole = network_linear_whole(&r->jacobian);
  const size_t rows = lipschitz_rows(r, &whole), cols = lipschitz_cols(r, &whole);
  if (!isfinite(whole.error[0]))
    return attcert_fail(r->err, ATTCERT_RESOURCE,
                        "vector: its product passes derivatives beyond 2^100, or of no bound: expected smaller weights "
                        "and inputs");
  network_linear_multiply(&r->jacobian, &whole, image, v, 1, false);
  const double error = upward_add(whole.error[0], UNDERFLOW_SHARE);
  const double quotient = upward_div(norm_upper(image, rows), norm_lower(v, cols));
  mpfr_set_d(lo, norm_lower_along(image, rows, error, v, cols), MPFR_RNDD);
  mpfr_set_d(hi, upward_mul(upward_add(quotient, error), 1.0 + UNIT_ROUNDOFF * 2.0), MPFR_RNDU);
  mpfr_mul_d(lo, lo, 1.0 - UNIT_ROUNDOFF * 2.0, MPFR_RNDD);
  return ATTCERT_OK;
}

static attcert_status enclose(mpfr_t lo, mpfr_t hi, lipschitz_run *r, const attcert_matrix *x,
                              const attcert_matrix *u) {
  double *v, *work;
  const size_t count = (size_t)u->rows * (size_t)u->cols;
  const array_table table = {{ARRAY(v, count), ARRAY(work, network_most_entries(r->network))}};
  attcert_status status = array_table_allocate(&table, r->err, "a direction and its image");
  if (status != ATTCERT_OK) return status;
  scale_direction(v, u->data, count);
  status = network_linear_init(&r->jacobian, r->network, x, LIPSCHITZ_VECTORS, false, r->options, r->err);
  if (status == ATTCERT_OK) status = sharpen(r, work);
  if (status == ATTCERT_OK) status = multiply(lo, hi, r, v, work);
  network_linear_clear(&r->jacobian);
  array_table_release(&table);
  return status;
}

attcert_status lipschitz_direction(mpfr_t lo, mpfr_t hi, const network_steps *network, const attcert_matrix *x,
                                   const attcert_matrix *u, const attcert_options *options, attcert_error *err) {
  environment before;
  lipschitz_run r = {.options = options, .err = err, .network = network};
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK) status = lipschitz_check(network, x, options, err);
  if (status == ATTCERT_OK) status = direction_check(u, x, err);
  if (status == ATTCERT_OK) status = blas_probe_once(err);
  return environment_leave(&before, status == ATTCERT_OK ? enclose(lo, hi, &r, x, u) : status);
}
