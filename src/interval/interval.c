/* Life and death of an interval and of the scratch. */
#include "interval/interval.h"

#include "interval/interval_set.h"

void interval_init(interval *x, mpfr_prec_t precision) {
  mpfr_init2(x->lo, precision);
  mpfr_init2(x->hi, precision);
  interval_set_zero(x);
}

void interval_clear(interval *x) {
  mpfr_clear(x->lo);
  mpfr_clear(x->hi);
}

void interval_scratch_init(interval_scratch *ws, mpfr_prec_t precision) {
  mpfr_init2(ws->t, precision);
  interval_init(&ws->q, precision);
}

void interval_scratch_clear(interval_scratch *ws) {
  mpfr_clear(ws->t);
  interval_clear(&ws->q);
}
