/* Options and certificates of the public API: defaults, names, life cycle. */
#include "attcert.h"

#include <math.h>
#include <string.h>

enum { BOUND_PRECISION = 53, DEFAULT_PRECISION = 128 };

const char *attcert_engine_name(attcert_engine engine) {
  static const char *const name[] = {"auto", "mpfr", "dense", "pointwise"};
  return name[engine];
}

void attcert_options_default(attcert_options *options) {
  *options = (attcert_options){.engine = ATTCERT_ENGINE_AUTO, .precision = DEFAULT_PRECISION};
}

void attcert_certificate_init(attcert_certificate *certificate) {
  memset(certificate, 0, sizeof *certificate);
  mpfr_init2(certificate->lower, BOUND_PRECISION);
  mpfr_init2(certificate->upper, BOUND_PRECISION);
  mpfr_set_zero(certificate->lower, 1);
  mpfr_set_inf(certificate->upper, 1);
  certificate->relative_width = INFINITY;
}

void attcert_certificate_clear(attcert_certificate *certificate) {
  mpfr_clear(certificate->lower);
  mpfr_clear(certificate->upper);
  attcert_matrix_clear(&certificate->vector);
}
