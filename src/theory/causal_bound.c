/* T5: under the causal mask P_ij <= e^r / i, and Hardy: sum_i (1/i sum_{j <= i} a_j)^2 <= 4 sum_j a_j^2. */
#include "theory/ball_bounds.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"

void causal_bound(interval *bound, const ball_head *b, ball_scratch *s) {
  interval_scale_2exp(bound, &b->gradient, 1);
  interval_exp(&s->t, &b->range);
  interval_set_si(&s->u, 1);
  interval_add(bound, bound, &s->u); /* 1 + 2 w */
  interval_scale_2exp(bound, bound, 1);
  interval_fma(bound, bound, &s->t, &b->score, &s->ws);
  interval_mul(bound, bound, &b->value, &s->ws);
}
