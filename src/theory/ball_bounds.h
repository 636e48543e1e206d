/* The bounds T1, T2, T4, T5 and T9 of one head on a ball: closed formulas in a few numbers. The idea of each
 * proof is in the bound's own file, for plain heads; spec/theorems/general_heads.md has those of other heads. `in(a,
 * x)`: the real number x lies in the interval a. */
#ifndef ATTCERT_THEORY_BALL_BOUNDS_H
#define ATTCERT_THEORY_BALL_BOUNDS_H

#include "attcert.h"
#include "interval/interval.h"

/* One head on tokens of a ball of radius R, in coordinates that put the ball's centre at the origin. Row i is
 * sum_j P_ij v_j over the tokens j in N(i); its scores move by g_ij . dx_j + h_ij . dx_i. A plain head has
 * g_ij = A x_i + K^T b_Q / sqrt(k), and h_ij = A^T x_j up to a constant, which cancels. */
typedef struct {
  int tokens;        /* n; under a window, the most rows that attend to one token */
  bool by_key;       /* g_ij may differ from key to key */
  interval value;    /* v = ||V|| */
  interval score;    /* z >= R |h_ij|; of plain heads ||A|| R^2 */
  interval gradient; /* w >= R |g_ij|; of plain heads R (||A|| R + ||K^T b_Q|| / sqrt(k)) >= z */
  interval range;    /* r: two scores of a row differ by no more; of plain heads 2 w */
  interval bias;     /* b: what biases added to the scores have in it; 0: none */
  interval share;    /* m >= max_j sum 1 / |N(i)| over the rows i that attend to j; 1 without a mask, 1 + ln n under the
                        causal one */
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

/* Sets all but tokens and value to those of a plain head, with column_sum as below. */
void ball_head_set(ball_head *b, attcert_mask mask, const interval *score_norm, const interval *drift, double radius,
                   ball_scratch *s);

/* Sets share to that of a mask, without a window: 1, or 1 + ln n. */
void ball_head_set_share(ball_head *b, attcert_mask mask, ball_scratch *s);

/* Sets column_sum to what holds on the whole ball: P_ij <= e^r / |N(i)|, so that c <= min(n, m e^r). */
void ball_head_set_columns(ball_head *b, ball_scratch *s);

/* T1, [Castin et al., Theorem 3.3] with biases: sqrt(3) v (4 n w^2 + z^2 + n)^{1/2}. */
/*@ requires \valid(bound) && \valid_read(b) && \valid(s) && \separated(bound, b, s) && b->tokens >= 1;
    assigns *bound, *s;
    ensures contains: \forall real v, z, w; in(&b->value, v) && in(&b->score, z) && in(&b->gradient, w) ==>
      in(bound, \sqrt(3.0) * v * \sqrt(4.0 * b->tokens * w * w + z * z + b->tokens)); */
void sqrt_n_bound(interval *bound, const ball_head *b, ball_scratch *s);

/* T2, [Castin et al.], the mean-field bound; no mask: v (1 + 2 w + max(w, z)) e^r; plain heads: v (1 + 3 w) e^{2w}. */
/*@ requires \valid(bound) && \valid_read(b) && \valid(s) && \separated(bound, b, s);
    assigns *bound, *s;
    ensures contains: \forall real v, z, w, r;
      in(&b->value, v) && in(&b->score, z) && in(&b->gradient, w) && in(&b->range, r) ==>
      in(bound, v * (1.0 + 2.0 * w + \max(w, z)) * \exp(r)); */
void mean_field_bound(interval *bound, const ball_head *b, ball_scratch *s);

/* T4, the unified bound: v ( sqrt(c (1 + w^2)) + z ), and v ( sqrt(c) (1 + w) + z ) by key. */
/*@ requires \valid(bound) && \valid_read(b) && \valid(s) && \separated(bound, b, s);
    assigns *bound, *s;
    ensures contains: \forall real v, z, w, c;
      in(&b->value, v) && in(&b->score, z) && in(&b->gradient, w) && in(&b->column_sum, c) && c >= 0.0 ==>
      in(bound, v * (\sqrt(c * (b->by_key ? (1.0 + w) * (1.0 + w) : 1.0 + w * w)) + z)); */
void unified_bound(interval *bound, const ball_head *b, ball_scratch *s);

/* T5, the mean-field bound under the causal mask, by Hardy's inequality: v ( 2 (1 + 2 w) e^r + z ). */
/*@ requires \valid(bound) && \valid_read(b) && \valid(s) && \separated(bound, b, s);
    assigns *bound, *s;
    ensures contains: \forall real v, z, w, r;
      in(&b->value, v) && in(&b->score, z) && in(&b->gradient, w) && in(&b->range, r) ==>
      in(bound, v * (2.0 * (1.0 + 2.0 * w) * \exp(r) + z)); */
void causal_bound(interval *bound, const ball_head *b, ball_scratch *s);

/* T9, never above T4 (spec/theorems/sharper_bounds.md): v ( sqrt(min(n h(w), m e^b F(w), c (1 + w^2))) + z ); by key
 * v ( sqrt(min(n max(1, (1 + w)^2 / 2), c (1 + w)^2)) + z ). h and F are in sharp_bound.c. */
void sharp_bound(interval *bound, const ball_head *b, ball_scratch *s);

/* square := 1 + w^2, by key (1 + w)^2: what a row's weighted norm in T4 is at most, squared, in units of v. Uses u. */
void ball_head_row_square(interval *square, const ball_head *b, ball_scratch *s);

#endif
