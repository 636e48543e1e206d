#include "base/environment.h"

#include "base/arithmetic.h"

void environment_set_default(void) {
  fesetenv(FE_DFL_ENV);
  mpfr_set_emin(MPFR_EMIN_DEFAULT);
  mpfr_set_emax(MPFR_EMAX_DEFAULT);
  mpfr_set_default_prec(53);
  mpfr_set_default_rounding_mode(MPFR_RNDN);
}

static attcert_status check_default(attcert_error *err) {
  const char *const expectation = arithmetic_expectation();
  if (expectation != NULL)
    return attcert_fail(err, ATTCERT_FAULT,
                        "floating-point environment: the default one was set, expected rounding to nearest with "
                        "subnormals, and so %s",
                        expectation);
  if (mpfr_get_emin() != MPFR_EMIN_DEFAULT || mpfr_get_emax() != MPFR_EMAX_DEFAULT)
    return attcert_fail(err, ATTCERT_FAULT,
                        "MPFR's exponents: from %ld to %ld, expected the default range, from %ld to %ld",
                        (long)mpfr_get_emin(), (long)mpfr_get_emax(), (long)MPFR_EMIN_DEFAULT, (long)MPFR_EMAX_DEFAULT);
  return ATTCERT_OK;
}

attcert_status environment_enter(environment *before, attcert_error *err) {
  *before = (environment){.least_exponent = mpfr_get_emin(),
                          .largest_exponent = mpfr_get_emax(),
                          .precision = mpfr_get_default_prec(),
                          .rounding = mpfr_get_default_rounding_mode(),
                          .flags = mpfr_flags_save()};
  fegetenv(&before->words);
  environment_set_default();
  return check_default(err);
}

attcert_status environment_leave(const environment *before, attcert_status status) {
  mpfr_set_emin(before->least_exponent);
  mpfr_set_emax(before->largest_exponent);
  mpfr_set_default_prec(before->precision);
  mpfr_set_default_rounding_mode(before->rounding);
  mpfr_flags_restore(before->flags, MPFR_FLAGS_ALL);
  fesetenv(&before->words);
  return status;
}
