/* Certificates of the public API: their life cycle. */
#include "certify/certificate.h"

#include "certify/engine/certify_ends.h"

#include <math.h>
#include <string.h>

enum { BOUND_PRECISION = 53 };

void attcert_certificate_init(attcert_certificate *certificate) {
  if (certificate == NULL) return;
  memset(certificate, 0, sizeof *certificate);
  mpfr_init2(certificate->lower, BOUND_PRECISION);
  mpfr_init2(certificate->upper, BOUND_PRECISION);
  certificate_reset(certificate);
}

void certificate_reset(attcert_certificate *certificate) {
  attcert_matrix_clear(&certificate->vector);
  certify_ends_reset(certificate);
  certificate->relative_width = INFINITY;
  certificate->tolerance_met = false;
  certificate->estimate = 0.0;
  certificate->precision = 0;
  certificate->plan[0] = '\0';
  certificate->seconds = (attcert_seconds){0};
  certificate->failure_log2 = -INFINITY;
  certificate->seeded = false;
}

bool certificate_is_enclosure(const attcert_certificate *certificate) {
  return certify_ends_are_enclosure(certificate);
}

attcert_status certificate_refuse(attcert_certificate *certificate, attcert_error *err) {
  const double lower = mpfr_get_d(certificate->lower, MPFR_RNDN), upper = mpfr_get_d(certificate->upper, MPFR_RNDN);
  certificate_reset(certificate);
  return attcert_fail(err, ATTCERT_FAULT,
                      "the lower end %.17g and the upper end %.17g contradict each other, expected lower <= upper: the "
                      "machine or a library computes wrongly",
                      lower, upper);
}

void attcert_certificate_clear(attcert_certificate *certificate) {
  if (certificate == NULL) return;
  mpfr_clear(certificate->lower);
  mpfr_clear(certificate->upper);
  attcert_matrix_clear(&certificate->vector);
}
