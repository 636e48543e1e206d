/* The numbers of one head on a ball. */
#include "theory/ball_bounds.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "theory/layer_norms.h"

void ball_head_init(ball_head *b) {
  interval_init(&b->value, THEORY_PRECISION);
  interval_init(&b->score, THEORY_PRECISION);
  interval_init(&b->gradient, THEORY_PRECISION);
  interval_init(&b->range, THEORY_PRECISION);
  interval_init(&b->bias, THEORY_PRECISION);
  interval_init(&b->share, THEORY_PRECISION);
  interval_init(&b->column_sum, THEORY_PRECISION);
}

void ball_head_clear(ball_head *b) {
  interval_clear(&b->value);
  interval_clear(&b->score);
  interval_clear(&b->gradient);
  interval_clear(&b->range);
  interval_clear(&b->bias);
  interval_clear(&b->share);
  interval_clear(&b->column_sum);
}

void ball_scratch_init(ball_scratch *s) {
  interval_scratch_init(&s->ws, THEORY_PRECISION);
  interval_init(&s->t, THEORY_PRECISION);
  interval_init(&s->u, THEORY_PRECISION);
}

void ball_scratch_clear(ball_scratch *s) {
  interval_scratch_clear(&s->ws);
  interval_clear(&s->t);
  interval_clear(&s->u);
}

void ball_head_set_share(ball_head *b, attcert_mask mask, ball_scratch *s) {
  interval_set_si(&b->share, 1);
  if (mask == ATTCERT_MASK_NONE) return;
  interval_set_si(&s->u, b->tokens);
  interval_log(&s->u, &s->u);
  interval_add(&b->share, &b->share, &s->u);
}

void ball_head_set_columns(ball_head *b, ball_scratch *s) {
  interval_exp(&s->t, &b->range);
  interval_mul(&s->t, &s->t, &b->share, &s->ws);
  interval_set_si(&b->column_sum, b->tokens);
  interval_min(&b->column_sum, &b->column_sum, &s->t);
}

void ball_head_set(ball_head *b, attcert_mask mask, const interval *score_norm, const interval *drift, double radius,
                   ball_scratch *s) {
  interval_set_d(&s->u, radius);
  interval_mul(&s->t, score_norm, &s->u, &s->ws);
  interval_mul(&b->score, &s->t, &s->u, &s->ws);
  interval_add(&s->t, &s->t, drift);
  interval_mul(&b->gradient, &s->t, &s->u, &s->ws);
  interval_scale_2exp(&b->range, &b->gradient, 1);
  interval_set_zero(&b->bias);
  b->by_key = false;
  ball_head_set_share(b, mask, s);
  ball_head_set_columns(b, s);
}

void ball_head_row_square(interval *square, const ball_head *b, ball_scratch *s) {
  interval_set_si(&s->u, 1);
  if (b->by_key) {
    interval_add(square, &b->gradient, &s->u);
    interval_sqr(square, square, &s->ws);
  } else {
    interval_sqr(square, &b->gradient, &s->ws);
    interval_add(square, square, &s->u);
  }
}
