/* Certificates of the public API: their life cycle. */
#include "certify/certificate.h"

#include <math.h>
#include <string.h>

enum { BOUND_PRECISION = 53 };

void attcert_certificate_init(attcert_certificate *certificate) {
  memset(certificate, 0, sizeof *certificate);
  mpfr_init2(certificate->lower, BOUND_PRECISION);
  mpfr_init2(certificate->upper, BOUND_PRECISION);
  certificate_reset(certificate);
}

void certificate_reset(attcert_certificate *certificate) {
  attcert_matrix_clear(&certificate->vector);
  mpfr_set_zero(certificate->lower, 1);
  mpfr_set_inf(certificate->upper, 1);
  certificate->relative_width = INFINITY;
  certificate->tolerance_met = false;
  certificate->estimate = 0.0;
  certificate->precision = 0;
  certificate->plan[0] = '\0';
  certificate->seconds = (attcert_seconds){0};
}

void attcert_certificate_clear(attcert_certificate *certificate) {
  mpfr_clear(certificate->lower);
  mpfr_clear(certificate->upper);
  attcert_matrix_clear(&certificate->vector);
}
