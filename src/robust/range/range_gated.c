#include "robust/range/range_gated.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"

/* ---- between doubles --------------------------------------------------------------------------------------------- */

enum { WORKING_BITS = 64 }; /* eleven more than the result */

/* g(s) = 1 / (1 + exp(-s)), increasing in s: each step of its lower end is rounded towards that, its upper end too. */
static range logistic(range s) {
  MPFR_DECL_INIT(lo, WORKING_BITS);
  MPFR_DECL_INIT(hi, WORKING_BITS);
  mpfr_set_d(lo, -s.lo, MPFR_RNDN);
  mpfr_set_d(hi, -s.hi, MPFR_RNDN);
  mpfr_exp(lo, lo, MPFR_RNDU);
  mpfr_exp(hi, hi, MPFR_RNDD);
  mpfr_add_ui(lo, lo, 1, MPFR_RNDU);
  mpfr_add_ui(hi, hi, 1, MPFR_RNDD);
  mpfr_ui_div(lo, 1, lo, MPFR_RNDD);
  mpfr_ui_div(hi, 1, hi, MPFR_RNDU);
  return (range){mpfr_get_d(lo, MPFR_RNDD), mpfr_get_d(hi, MPFR_RNDU)};
}

/* The derivative g(s) + s g(s) (1 - g(s)) of t g(factor t) at s = factor t; 1 - g(s) = g(-s). */
static range slope_at(range s) {
  const range gate = logistic(s), mirrored = logistic((range){-s.hi, -s.lo});
  return range_add(gate, range_mul(range_mul(gate, mirrored), s));
}

range range_silu(double t) {
  return range_scale(logistic(range_of(t)), t);
}

range range_silu_tangent(double t, range *value) {
  *value = range_silu(t);
  return slope_at(range_of(t));
}

static const range quick_factor = {0x1.b3b645a1cac08p+0, 0x1.b3b645a1cac09p+0}; /* 1.702 */

range range_quick_gelu(double t) {
  return range_scale(logistic(range_scale(quick_factor, t)), t);
}

range range_quick_gelu_tangent(double t, range *value) {
  *value = range_quick_gelu(t);
  return slope_at(range_scale(quick_factor, t));
}

/* ---- over intervals ---------------------------------------------------------------------------------------------- */

/* r = g(-s): it falls, so that its ends are those of s; 0 where exp overflows. */
static void falling_logistic(interval *r, const interval *s, interval_scratch *ws) {
  interval one;
  interval_init(&one, 2);
  interval_set_si(&one, 1);
  interval_exp(r, s);
  interval_add(r, r, &one);
  interval_div(r, &one, r, ws);
  interval_clear(&one);
}

/* value = t g(s), slope as above, s = t thousandths / 1000. */
static void enclose_gated(interval *value, interval *slope, const interval *t, int thousandths, interval_scratch *ws) {
  interval s, gate;
  interval_init(&s, mpfr_get_prec(value->lo));
  interval_init(&gate, mpfr_get_prec(value->lo));
  interval_set_si(&s, thousandths);
  interval_set_si(&gate, 1000);
  interval_div(&s, &s, &gate, ws);
  interval_mul(&s, t, &s, ws);
  falling_logistic(slope, &s, ws);
  interval_mul(slope, slope, &s, ws);
  interval_neg(&s, &s);
  falling_logistic(&gate, &s, ws);
  interval_mul(slope, slope, &gate, ws);
  interval_add(slope, slope, &gate);
  interval_mul(value, t, &gate, ws);
  interval_clear(&s);
  interval_clear(&gate);
}

void range_enclose_silu(interval *value, interval *slope, const interval *t, interval_scratch *ws) {
  enclose_gated(value, slope, t, 1000, ws);
}

void range_enclose_quick_gelu(interval *value, interval *slope, const interval *t, interval_scratch *ws) {
  enclose_gated(value, slope, t, 1702, ws);
}
