/* The bounds T1, T2, T4, T5 and T9 of one head on a ball: closed formulas in five numbers. The idea of each
 * proof is in the bound's own file. `in(a, x)`: the real number x lies in the interval a. */
#ifndef ATTCERT_THEORY_BALL_BOUNDS_H
#define ATTCERT_THEORY_BALL_BOUNDS_H

#include "attcert.h"
#include "interval/interval.h"

/* One head on n tokens of a ball of radius R, in coordinates that put the ball's centre at the origin. */
typedef struct {
  int tokens; /* n */
  attcert_mask mask;
  interval value; /* v = ||V|| */
  interval score; /* z = ||A|| R^2 */
  interval
      gradient; /* w = R (||A|| R + ||K^T b_Q|| / sqrt(k)) >= R ||g_i||: scores lie in [-w, w] up to a constant a row */
  interval column_sum; /* c >= max_j sum_i P_ij */
} ball_head;

typedef struct {
  interval_scratch ws;
  interval t, u;
} ball_scratch;

void ball_head_init(ball_head *b);
void ball_head_clear(ball_head *b);
void ball_scratch_init(ball_scratch *s);
void ball_scratch_clear(ball_scratch *s);

/* Sets score and gradient, and column_sum to what holds on the whole ball: P_ij <= e^{2w}/|N(i)|, so that
 * c <= min(n, e^{2w}), or min(n, (1 + ln n) e^{2w}) under the causal mask. */
void ball_head_set(ball_head *b, const interval *score_norm, const interval *drift, double radius, ball_scratch *s);

/* T1, [Castin et al., Theorem 3.3] with biases: sqrt(3) v (4 n w^2 + z^2 + n)^{1/2}. */
/*@ requires \valid(bound) && \valid_read(b) && \valid(s) && \separated(bound, b, s) && b->tokens >= 1;
    assigns *bound, *s;
    ensures contains: \forall real v, z, w; in(&b->value, v) && in(&b->score, z) && in(&b->gradient, w) ==>
      in(bound, \sqrt(3.0) * v * \sqrt(4.0 * b->tokens * w * w + z * z + b->tokens)); */
void sqrt_n_bound(interval *bound, const ball_head *b, ball_scratch *s);

/* T2, [Castin et al.], the mean-field bound; no mask: v (1 + 3 w) e^{2w}. */
/*@ requires \valid(bound) && \valid_read(b) && \valid(s) && \separated(bound, b, s);
    assigns *bound, *s;
    ensures contains: \forall real v, w; in(&b->value, v) && in(&b->gradient, w) ==>
      in(bound, v * (1.0 + 3.0 * w) * \exp(2.0 * w)); */
void mean_field_bound(interval *bound, const ball_head *b, ball_scratch *s);

/* T4, the unified bound: v ( sqrt(c (1 + w^2)) + z ). */
/*@ requires \valid(bound) && \valid_read(b) && \valid(s) && \separated(bound, b, s);
    assigns *bound, *s;
    ensures contains: \forall real v, z, w, c;
      in(&b->value, v) && in(&b->score, z) && in(&b->gradient, w) && in(&b->column_sum, c) && c >= 0.0 ==>
      in(bound, v * (\sqrt(c * (1.0 + w * w)) + z)); */
void unified_bound(interval *bound, const ball_head *b, ball_scratch *s);

/* T5, the mean-field bound under the causal mask, by Hardy's inequality: v ( 2 (1 + 2 w) e^{2w} + z ). */
/*@ requires \valid(bound) && \valid_read(b) && \valid(s) && \separated(bound, b, s);
    assigns *bound, *s;
    ensures contains: \forall real v, z, w; in(&b->value, v) && in(&b->score, z) && in(&b->gradient, w) ==>
      in(bound, v * (2.0 * (1.0 + 2.0 * w) * \exp(2.0 * w) + z)); */
void causal_bound(interval *bound, const ball_head *b, ball_scratch *s);

/* T9, never above T4 (spec/theorems/sharper_bounds.md): v ( sqrt(min(n h(w), m F(w), c (1 + w^2))) + z ), where m = 1,
 * or 1 + ln n under the causal mask; h and F are in sharp_bound.c. */
void sharp_bound(interval *bound, const ball_head *b, ball_scratch *s);

#endif
