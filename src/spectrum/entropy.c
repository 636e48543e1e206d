/* h(x) = - x ln x is concave on [0, 1], rises to 1/e at x = 1/e and falls beyond. On [a, b] its least value is
 * therefore at an end, and its largest one is 1/e where 1/e lies between, or else at an end too. */
#include "spectrum/entropy.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_lattice.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"

typedef struct {
  interval x, at_low, at_high, inverse_e;
  interval_scratch *ws;
} term;

/* r contains - x ln x; x: one number, at least 0. */
static void at_number(interval *r, mpfr_srcptr x, term *t) {
  if (mpfr_sgn(x) <= 0) {
    interval_set_zero(r);
    return;
  }
  interval_set_fr(&t->x, x);
  interval_log(r, &t->x);
  interval_mul(r, r, &t->x, t->ws);
  interval_neg(r, r);
}

static void enclose_term(interval *r, const interval *p, term *t) {
  at_number(&t->at_low, p->lo, t);
  at_number(&t->at_high, p->hi, t);
  interval_hull(r, &t->at_low, &t->at_high);
  if (!interval_disjoint(p, &t->inverse_e)) interval_hull(r, r, &t->inverse_e);
}

void spectrum_entropy(interval *entropy, const interval *p, size_t n, interval_scratch *ws) {
  const mpfr_prec_t bits = mpfr_get_prec(entropy->lo);
  term t = {.ws = ws};
  interval value;
  interval_init(&t.x, n > 0 ? mpfr_get_prec(p->lo) : bits); /* an end of p is exact */
  interval_init(&t.at_low, bits);
  interval_init(&t.at_high, bits);
  interval_init(&t.inverse_e, bits);
  interval_init(&value, bits);
  interval_set_si(&t.inverse_e, -1);
  interval_exp(&t.inverse_e, &t.inverse_e); /* e^-1, the place and the value of the maximum */
  interval_set_zero(entropy);
  for (size_t j = 0; j < n; j++) {
    enclose_term(&value, &p[j], &t);
    interval_add(entropy, entropy, &value);
  }
  if (mpfr_sgn(entropy->lo) < 0) mpfr_set_zero(entropy->lo, 1); /* no term is negative */
  interval_clear(&value);
  interval_clear(&t.inverse_e);
  interval_clear(&t.at_high);
  interval_clear(&t.at_low);
  interval_clear(&t.x);
}
