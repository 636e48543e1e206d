#include "robust/range/range_enclosure.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "robust/range/range_tanh_gated.h"

/* r = a / b for small integers. */
static void set_ratio(interval *r, long a, long b, interval_scratch *ws) {
  interval divisor;
  interval_init(&divisor, mpfr_get_prec(r->lo));
  interval_set_si(&divisor, b);
  interval_set_si(r, a);
  interval_div(r, r, &divisor, ws);
  interval_clear(&divisor);
}

/* r = sqrt(2 / pi). */
static void set_sqrt_two_over_pi(interval *r, interval_scratch *ws) {
  interval pi;
  interval_init(&pi, mpfr_get_prec(r->lo));
  mpfr_const_pi(pi.lo, MPFR_RNDD);
  mpfr_const_pi(pi.hi, MPFR_RNDU);
  interval_set_si(r, 2);
  interval_div(r, r, &pi, ws);
  interval_sqrt(r, r);
  interval_clear(&pi);
}

/* The normal distribution erfc(-t / sqrt 2) / 2, increasing: its ends are those of t. */
static void normal_distribution(interval *r, const interval *t, interval_scratch *ws) {
  interval root;
  interval_init(&root, mpfr_get_prec(r->lo));
  interval_set_si(&root, 2);
  interval_sqrt(&root, &root);
  interval_neg(r, t);
  interval_div(r, r, &root, ws); /* falls as t grows: its upper end belongs to the lower one of t */
  mpfr_erfc(root.lo, r->hi, MPFR_RNDD);
  mpfr_erfc(root.hi, r->lo, MPFR_RNDU);
  interval_scale_2exp(r, &root, -1);
  interval_clear(&root);
}

void range_enclose_gelu(interval *value, interval *slope, const interval *t, interval_scratch *ws) {
  interval half;
  interval_init(&half, mpfr_get_prec(value->lo));
  interval_sqr(&half, t, ws);
  interval_scale_2exp(&half, &half, -1);
  interval_neg(&half, &half);
  interval_exp(&half, &half);
  set_sqrt_two_over_pi(slope, ws);
  interval_scale_2exp(slope, slope, -1); /* 1 / sqrt(2 pi) */
  interval_mul(slope, slope, &half, ws);
  interval_mul(slope, slope, t, ws);
  normal_distribution(&half, t, ws);
  interval_add(slope, slope, &half);
  interval_mul(value, t, &half, ws);
  interval_clear(&half);
}

void range_enclose_tanh(interval *value, interval *slope, const interval *t, interval_scratch *ws) {
  mpfr_tanh(value->lo, t->lo, MPFR_RNDD);
  mpfr_tanh(value->hi, t->hi, MPFR_RNDU);
  interval one;
  interval_init(&one, 2);
  interval_set_si(&one, 1);
  interval_sqr(slope, value, ws);
  interval_sub(slope, &one, slope);
  interval_clear(&one);
}

/* value = t (1 + tanh u) / 2, slope = (1 + tanh u) / 2 + t (1 - tanh^2 u) u' / 2. */
void range_enclose_tanh_gated(interval *value, interval *slope, const interval *t, const interval *by,
                              const interval *cubic, interval_scratch *ws) {
  interval u, du, factor;
  interval_init(&u, mpfr_get_prec(value->lo));
  interval_init(&du, mpfr_get_prec(value->lo));
  interval_init(&factor, mpfr_get_prec(value->lo));
  interval_sqr(&du, t, ws);
  interval_mul(&du, &du, cubic, ws); /* b t^2 */
  interval_set_si(&factor, 1);
  interval_add(&u, &du, &factor);
  interval_mul(&u, &u, t, ws); /* t + b t^3 */
  interval_add(&factor, &factor, &du);
  interval_add(&factor, &factor, &du);
  interval_add(&du, &factor, &du); /* 1 + 3 b t^2 */
  interval_mul(&u, &u, by, ws);
  interval_mul(&du, &du, by, ws);
  range_enclose_tanh(&factor, slope, &u, ws);
  interval_mul(slope, slope, &du, ws);
  interval_mul(slope, slope, t, ws);
  interval_set_si(&u, 1);
  interval_add(&factor, &factor, &u);
  interval_add(slope, slope, &factor);
  interval_scale_2exp(slope, slope, -1);
  interval_mul(value, t, &factor, ws);
  interval_scale_2exp(value, value, -1);
  interval_clear(&u);
  interval_clear(&du);
  interval_clear(&factor);
}

/* With 0.044715. */
static void enclose_gelu_tanh(interval *value, interval *slope, const interval *t, const interval *by,
                              interval_scratch *ws) {
  interval cubic;
  interval_init(&cubic, mpfr_get_prec(value->lo));
  set_ratio(&cubic, 44715, 1000000, ws);
  range_enclose_tanh_gated(value, slope, t, by, &cubic, ws);
  interval_clear(&cubic);
}

void range_enclose_gelu_tanh(interval *value, interval *slope, const interval *t, interval_scratch *ws) {
  interval by;
  interval_init(&by, mpfr_get_prec(value->lo));
  set_sqrt_two_over_pi(&by, ws);
  enclose_gelu_tanh(value, slope, t, &by, ws);
  interval_clear(&by);
}

void range_enclose_gelu_bloom(interval *value, interval *slope, const interval *t, interval_scratch *ws) {
  interval by;
  interval_init(&by, mpfr_get_prec(value->lo));
  set_ratio(&by, 79788456, 100000000, ws);
  enclose_gelu_tanh(value, slope, t, &by, ws);
  interval_clear(&by);
}

void range_enclose_relu(interval *value, interval *slope, const interval *t, interval_scratch *ws) {
  (void)ws;
  interval_set_zero(value);
  interval_max(value, value, t);
  mpfr_set_si(slope->lo, mpfr_sgn(t->lo) > 0 ? 1 : 0, MPFR_RNDD);
  mpfr_set_si(slope->hi, mpfr_sgn(t->hi) < 0 ? 0 : 1, MPFR_RNDU);
}
