#include "certify/gamma_mpfr.h"

void gamma_mpfr(mpfr_ptr r, double m, mpfr_prec_t p) {
  mpfr_t denominator;
  mpfr_init2(denominator, 64);
  mpfr_set_d(r, m, MPFR_RNDU);
  mpfr_div_2si(r, r, (long)p, MPFR_RNDU);
  mpfr_ui_sub(denominator, 1, r, MPFR_RNDD);
  if (mpfr_sgn(denominator) > 0)
    mpfr_div(r, r, denominator, MPFR_RNDU);
  else
    mpfr_set_inf(r, 1);
  mpfr_clear(denominator);
}
