/* T1: three terms of the Jacobian, (a + b + c)^2 <= 3 (a^2 + b^2 + c^2) with a^2 = n v^2,
 * b^2 = 4 n w^2 v^2, c^2 = z^2 v^2. */
#include "theory/ball_bounds.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"

void sqrt_n_bound(interval *bound, const ball_head *b, ball_scratch *s) {
  interval_set_si(&s->u, b->tokens);
  interval_sqr(&s->t, &b->gradient, &s->ws);
  interval_scale_2exp(&s->t, &s->t, 2);
  interval_fma(&s->t, &s->t, &s->u, &s->u, &s->ws); /* 4 n w^2 + n */
  interval_sqr(bound, &b->score, &s->ws);
  interval_add(bound, bound, &s->t);
  interval_set_si(&s->u, 3);
  interval_mul(bound, bound, &s->u, &s->ws);
  interval_sqrt(bound, bound);
  interval_mul(bound, bound, &b->value, &s->ws);
}
