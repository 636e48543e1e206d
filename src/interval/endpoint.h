/* Single endpoints of intervals, shared by the operations of this module. */
#ifndef ATTCERT_INTERVAL_ENDPOINT_H
#define ATTCERT_INTERVAL_ENDPOINT_H

#include <mpfr.h>
#include <stdbool.h>

#ifdef __FRAMAC__
#include "arithmetic/product_lemmas.acsl"
#include "interval/mpfr.acsl"
#endif

/* Neither an infinity nor NaN. In line, as every operation starts with this test; mpfr_number_p is a call. */
/*@ requires valid: \valid_read(x);
    requires live: initialised(x);
    terminates \true;
    assigns \nothing;
    ensures number: \result <==> number(x); */
static inline bool endpoint_is_number(mpfr_srcptr x) {
  return !mpfr_nan_p(x) && !mpfr_inf_p(x);
}

/* r = x y rounded by rnd, with 0 inf = 0: an infinite endpoint stands for numbers of any size, and each gives 0. */
/*@ requires valid: \valid(r) && \valid_read(x) && \valid_read(y);
    requires live: initialised(r) && initialised(x) && initialised(y);
    requires alias: (r == x || \separated(r, x)) && (r == y || \separated(r, y));
    requires not_nan: !nan(x) && !nan(y);
    terminates \true;
    assigns *r;
    ensures numbers: number{Pre}(x) ==> number{Pre}(y) ==> rounded(r, prod(value{Pre}(x), value{Pre}(y)), rnd);
    ensures zero: zero{Pre}(x) || zero{Pre}(y) ==> zero(r);
    ensures plus_infinity: infinite{Pre}(x) || infinite{Pre}(y) ==>
      (positive{Pre}(x) && positive{Pre}(y)) || (negative{Pre}(x) && negative{Pre}(y)) ==> plus_infinity(r);
    ensures minus_infinity: infinite{Pre}(x) || infinite{Pre}(y) ==>
      (positive{Pre}(x) && negative{Pre}(y)) || (negative{Pre}(x) && positive{Pre}(y)) ==> minus_infinity(r); */
static inline void endpoint_mul(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rnd) {
  if (mpfr_zero_p(x) || mpfr_zero_p(y)) {
    mpfr_set_zero(r, 1);
  } else {
    mpfr_mul(r, x, y, rnd);
  }
}

#endif
