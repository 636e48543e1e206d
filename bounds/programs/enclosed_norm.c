/* See enclosed_norm.h. */
#include "enclosed_norm.h"

void enclosed_norm_init(enclosed_norm *norm) {
  mpfr_inits2(53, norm->lower, norm->upper, (mpfr_ptr)0);
}

void enclosed_norm_clear(enclosed_norm *norm) {
  mpfr_clears(norm->lower, norm->upper, (mpfr_ptr)0);
}

attcert_status enclosed_norm_certify(enclosed_norm *norm, const attcert_layer *layer, const attcert_matrix *x,
                                     attcert_error *err) {
  attcert_options options;
  attcert_certificate certificate;
  attcert_options_default(&options);
  options.threads = 1;
  options.engine = ATTCERT_ENGINE_DENSE;
  attcert_certificate_init(&certificate);
  const attcert_status status = attcert_certify(&certificate, layer, x, &options, err);
  if (status == ATTCERT_OK) {
    mpfr_set(norm->lower, certificate.lower, MPFR_RNDD);
    mpfr_set(norm->upper, certificate.upper, MPFR_RNDU);
  }
  attcert_certificate_clear(&certificate);
  return status;
}

attcert_status enclosed_norm_of_jacobian(enclosed_norm *norm, const jacobian_midpoint *j, attcert_error *err) {
  return jacobian_midpoint_norm(norm->lower, norm->upper, j, err);
}
