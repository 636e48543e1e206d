/* a 2^e. Infinities and NaN stay what they are; an exponent out of MPFR's range rounds outward like any result. */
#include "interval/interval_arith.h"

#ifdef __FRAMAC__
#include "arithmetic/product_order_lemmas.acsl"
#endif

void interval_scale_2exp(interval *r, const interval *a, long e) {
  mpfr_mul_2si(r->lo, a->lo, e, MPFR_RNDD);
  mpfr_mul_2si(r->hi, a->hi, e, MPFR_RNDU);
}
