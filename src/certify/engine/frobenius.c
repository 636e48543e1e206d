#include "certify/engine/frobenius.h"

#include "certify/engine/mpfr_engine.h"
#include "certify/explicit/explicit_jacobian_init.h"
#include "linalg/rounding/norm_upward.h"
#include "linalg/rounding/sum_upward.h"

uint64_t frobenius_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision, const attcert_options *options) {
  (void)options;
  return explicit_jacobian_bytes(layer, n, precision);
}

/* The sum is one operation an entry beside three a head. */
double frobenius_seconds(const attcert_layer *layer, int n, const attcert_options *options) {
  return mpfr_engine_explicit_seconds(layer, n, options);
}

attcert_status frobenius_upper(mpfr_ptr upper, const attcert_layer *layer, const layer_enclosure *e, int threads,
                               attcert_error *err) {
  explicit_jacobian j;
  const attcert_status status = explicit_jacobian_init(&j, layer, e, threads, err);
  if (status != ATTCERT_OK) return status;
  mpfr_t square;
  mpfr_init2(square, mpfr_get_prec(upper));
  mpfr_set_zero(upper, 1);
  sum_upward_squares(upper, j.mid, (size_t)j.rows * (size_t)j.cols, square);
  norm_upward_from_eigenvalue(upper, j.radius);
  mpfr_clear(square);
  explicit_jacobian_clear(&j);
  return ATTCERT_OK;
}

attcert_status frobenius_bound(certify_run *r, double width) {
  (void)width; /* one sum, as sharp as it is */
  attcert_status status = certify_run_report(r, "explicit Jacobian");
  mpfr_t upper;
  mpfr_init2(upper, 64);
  if (status == ATTCERT_OK) status = frobenius_upper(upper, r->layer, &r->e, r->threads, r->err);
  if (status == ATTCERT_OK) certify_run_improve_upper(r, upper, ATTCERT_ENGINE_FROBENIUS);
  mpfr_clear(upper);
  return status;
}
