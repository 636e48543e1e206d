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
  interval_init(&b->column_sum, THEORY_PRECISION);
}

void ball_head_clear(ball_head *b) {
  interval_clear(&b->value);
  interval_clear(&b->score);
  interval_clear(&b->gradient);
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

/* c <= min(n, e^{2w}) or min(n, (1 + ln n) e^{2w}). */
static void column_sum_set(ball_head *b, ball_scratch *s) {
  interval_scale_2exp(&s->t, &b->gradient, 1);
  interval_exp(&s->t, &s->t);
  interval_set_si(&b->column_sum, b->tokens);
  if (b->mask == ATTCERT_MASK_CAUSAL) {
    interval_log(&s->u, &b->column_sum);
    interval_fma(&s->t, &s->u, &s->t, &s->t, &s->ws);
  }
  interval_min(&b->column_sum, &b->column_sum, &s->t);
}

void ball_head_set(ball_head *b, const interval *score_norm, const interval *drift, double radius, ball_scratch *s) {
  interval_set_d(&s->u, radius);
  interval_mul(&s->t, score_norm, &s->u, &s->ws);
  interval_mul(&b->score, &s->t, &s->u, &s->ws);
  interval_add(&s->t, &s->t, drift);
  interval_mul(&b->gradient, &s->t, &s->u, &s->ws);
  column_sum_set(b, s);
}
