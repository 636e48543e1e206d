/* How far a bound of the theory is from the certified value: value / upper, the bound over the upper end. */
#include "report/report.h"

void report_bound_ratio(mpfr_t ratio, const theory_bound *bound, const attcert_certificate *certificate) {
  if (mpfr_zero_p(certificate->upper))
    mpfr_set_nan(ratio);
  else
    mpfr_div(ratio, bound->value, certificate->upper, MPFR_RNDU);
}
