/* T4: Cauchy-Schwarz in the P_i-weighted inner product, where the values' variance is at most (||V|| R)^2; the column
 * sums come in when the rows' squares are added. */
#include "theory/ball_bounds.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"

void unified_bound(interval *bound, const ball_head *b, ball_scratch *s) {
  ball_head_row_square(&s->t, b, s);
  interval_mul(bound, &b->column_sum, &s->t, &s->ws);
  interval_sqrt(bound, bound);
  interval_add(bound, bound, &b->score);
  interval_mul(bound, bound, &b->value, &s->ws);
}
