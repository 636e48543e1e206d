/* T9 (spec/theorems/sharper_bounds.md): T4 with the smallest of three bounds under the root. Beside T4's c (1 + w^2),
 * which wins where the column sums c are those of one input:
 *
 *   n rows, each at most h(w):   h(w) = max_p (p^2 + q^2 + 4 w p q (p - q) + 8 w^2 p^2 q^2), q = 1 - p,
 *                                     = (1 + (w + 1/(4 w))^2) / 2 for w >= 1/2, and 1 below
 *   column mass against variance: F(w) = max_{0 <= t <= 1} f(t), f(t) = e^w (cosh w + t sinh w) (1 + w^2 (1 - t^2)) */
#include "theory/ball_bounds.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "theory/layer_norms.h"

/* r := max(1, (1 + w)^2 / 2) */
static void row_bound_by_key(interval *r, const ball_head *b, ball_scratch *s) {
  ball_head_row_square(r, b, s);
  interval_scale_2exp(r, r, -1);
  interval_set_si(&s->u, 1);
  interval_max(r, r, &s->u);
}

/* r := h(w). The formula at max(w, 1/2), where it is 1. */
static void row_bound(interval *r, const ball_head *b, ball_scratch *s) {
  if (b->by_key) {
    row_bound_by_key(r, b, s);
    return;
  }
  interval_set_d(&s->u, 0.5);
  interval_max(&s->t, &b->gradient, &s->u);
  interval_scale_2exp(r, &s->t, 2);
  interval_set_si(&s->u, 1);
  interval_div(r, &s->u, r, &s->ws);
  interval_add(r, r, &s->t);
  interval_sqr(r, r, &s->ws);
  interval_add(r, r, &s->u);
  interval_scale_2exp(r, r, -1);
}

typedef struct {
  interval cosh, sinh; /* e^w cosh w = (e^{2w} + 1) / 2, e^w sinh w = (e^{2w} - 1) / 2 */
  interval square;     /* w^2 */
  interval t;          /* where f is largest */
} column_terms;

static void column_terms_init(column_terms *c) {
  interval_init(&c->cosh, THEORY_PRECISION);
  interval_init(&c->sinh, THEORY_PRECISION);
  interval_init(&c->square, THEORY_PRECISION);
  interval_init(&c->t, THEORY_PRECISION);
}

static void column_terms_clear(column_terms *c) {
  interval_clear(&c->cosh);
  interval_clear(&c->sinh);
  interval_clear(&c->square);
  interval_clear(&c->t);
}

static void column_terms_set(column_terms *c, const interval *w, ball_scratch *s) {
  interval_scale_2exp(&s->t, w, 1);
  interval_exp(&s->t, &s->t);
  interval_set_si(&s->u, 1);
  interval_add(&c->cosh, &s->t, &s->u);
  interval_sub(&c->sinh, &s->t, &s->u);
  interval_scale_2exp(&c->cosh, &c->cosh, -1);
  interval_scale_2exp(&c->sinh, &c->sinh, -1);
  interval_sqr(&c->square, w, &s->ws);
}

/* The root of f'(t) = sinh (1 + w^2) - 2 w^2 cosh t - 3 w^2 sinh t^2, or 1 where that is beyond 1: f is concave for
 * t >= 0. As sinh (1 + w^2) / (w^2 cosh + sqrt(w^4 cosh^2 + 3 w^2 (1 + w^2) sinh^2)), nothing cancels. */
static void set_maximum(column_terms *c, ball_scratch *s) {
  interval_set_si(&s->u, 1);
  interval_add(&s->t, &c->square, &s->u);
  interval_mul(&s->t, &s->t, &c->sinh, &s->ws); /* sinh (1 + w^2) */
  interval_set_si(&s->u, 3);
  interval_mul(&s->u, &s->u, &c->sinh, &s->ws);
  interval_mul(&s->u, &s->u, &c->square, &s->ws);
  interval_mul(&s->u, &s->u, &s->t, &s->ws);
  interval_mul(&c->t, &c->square, &c->cosh, &s->ws);
  interval_sqr(&c->t, &c->t, &s->ws);
  interval_add(&s->u, &s->u, &c->t);
  interval_sqrt(&s->u, &s->u);
  interval_fma(&c->t, &c->square, &c->cosh, &s->u, &s->ws);
  interval_div(&c->t, &s->t, &c->t, &s->ws);
  interval_set_si(&s->u, 1);
  interval_min(&c->t, &c->t, &s->u);
}

/* r := f(t) */
static void column_value(interval *r, const column_terms *c, ball_scratch *s) {
  interval_set_si(&s->u, 1);
  interval_sqr(&s->t, &c->t, &s->ws);
  interval_sub(&s->t, &s->u, &s->t);
  interval_fma(&s->t, &s->t, &c->square, &s->u, &s->ws); /* 1 + w^2 (1 - t^2) */
  interval_fma(r, &c->t, &c->sinh, &c->cosh, &s->ws);
  interval_mul(r, r, &s->t, &s->ws);
}

/* r := m e^b F(w). For w <= 1/3 f'(1) is not negative, hence t = 1. */
static void column_bound(interval *r, const ball_head *b, ball_scratch *s) {
  column_terms c;
  column_terms_init(&c);
  column_terms_set(&c, &b->gradient, s);
  interval_set_d(&s->u, 0.25);
  if (interval_certainly_less_equal(&b->gradient, &s->u))
    interval_set_si(&c.t, 1);
  else
    set_maximum(&c, s);
  column_value(r, &c, s);
  column_terms_clear(&c);
  interval_mul(r, r, &b->share, &s->ws);
  interval_exp(&s->t, &b->bias);
  interval_mul(r, r, &s->t, &s->ws);
}

/* r := c (1 + w^2), by key c (1 + w)^2 */
static void variance_bound(interval *r, const ball_head *b, ball_scratch *s) {
  ball_head_row_square(&s->t, b, s);
  interval_mul(r, &b->column_sum, &s->t, &s->ws);
}

/* Whether F(w) > n h(w) is known beforehand, as w >= n: F >= f(0) > e^{2w} (1 + w^2) / 2,
 * h <= 1 + w^2. Keeps e^{2w} finite. */
static bool rows_are_smaller(const ball_head *b, ball_scratch *s) {
  interval_set_si(&s->u, b->tokens);
  return interval_certainly_less_equal(&s->u, &b->gradient);
}

void sharp_bound(interval *bound, const ball_head *b, ball_scratch *s) {
  interval other;
  interval_init(&other, THEORY_PRECISION);
  row_bound(bound, b, s);
  interval_set_si(&s->u, b->tokens);
  interval_mul(bound, bound, &s->u, &s->ws);
  if (!b->by_key && !rows_are_smaller(b, s)) {
    column_bound(&other, b, s);
    interval_min(bound, bound, &other);
  }
  variance_bound(&other, b, s);
  interval_min(bound, bound, &other);
  interval_sqrt(bound, bound);
  interval_add(bound, bound, &b->score);
  interval_mul(bound, bound, &b->value, &s->ws);
  interval_clear(&other);
}
