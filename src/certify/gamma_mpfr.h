/* gamma_m = m u / (1 - m u) at precision p, u = 2^-p: m roundings to nearest change a sum of products relatively by at most
 * gamma_m (Higham, Accuracy and Stability, 2nd ed., Lemma 3.1). */
#ifndef ATTCERT_GAMMA_MPFR_H
#define ATTCERT_GAMMA_MPFR_H

#include <mpfr.h>

#ifdef __FRAMAC__
#include "upward.acsl"
#endif

/*@ logic real roundings(real m, integer p) = prod(m, power_of_two(-p)); */

/* r >= gamma_m; +inf when m u is not below 1. */
/*@ requires valid: \valid(r);
    requires count: 0.0 <= m && finite_double(m);
    terminates \true;
    assigns *r;
    ensures upper: roundings(m, p) < 1.0 ==> at_least(r, quo(roundings(m, p), 1.0 - roundings(m, p)));
    ensures too_many: 1.0 <= roundings(m, p) ==> plus_infinity(r); */
void gamma_mpfr(mpfr_ptr r, double m, mpfr_prec_t p);

#endif
