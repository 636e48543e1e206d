/* T2: the W_2-Lipschitz constant of the push-forward of measures on the ball, whatever the number of tokens. */
#include "theory/ball_bounds.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"

void mean_field_bound(interval *bound, const ball_head *b, ball_scratch *s) {
  interval_exp(&s->t, &b->range);
  interval_max(bound, &b->gradient, &b->score);
  interval_scale_2exp(&s->u, &b->gradient, 1);
  interval_add(bound, bound, &s->u);
  interval_set_si(&s->u, 1);
  interval_add(bound, bound, &s->u); /* 1 + 2 w + max(w, z) */
  interval_mul(bound, bound, &s->t, &s->ws);
  interval_mul(bound, bound, &b->value, &s->ws);
}
