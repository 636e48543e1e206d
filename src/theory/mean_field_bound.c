/* T2: the W_2-Lipschitz constant of the push-forward of measures on the ball, whatever the number of tokens. */
#include "theory/ball_bounds.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"

void mean_field_bound(interval *bound, const ball_head *b, ball_scratch *s) {
  interval_scale_2exp(&s->t, &b->gradient, 1);
  interval_exp(&s->t, &s->t); /* e^{2w} */
  interval_set_si(bound, 3);
  interval_set_si(&s->u, 1);
  interval_fma(bound, bound, &b->gradient, &s->u, &s->ws); /* 1 + 3 w */
  interval_mul(bound, bound, &s->t, &s->ws);
  interval_mul(bound, bound, &b->value, &s->ws);
}
