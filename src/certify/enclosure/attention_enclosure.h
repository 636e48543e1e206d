/* One row of attention of one head in intervals: the query q_i against the keys and values of its n positions.
 *
 * "Contains" means: for all real vectors in the intervals given, the real quantity is in the interval computed
 * (spec/real/real_attention.acsl). Matrices are row-major; keys and values have k columns. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_ATTENTION_ENCLOSURE_H
#define ATTCERT_CERTIFY_ENCLOSURE_ATTENTION_ENCLOSURE_H

#include "interval/interval_vec.h"

/* What one row is made of. */
typedef struct {
  int n, k;                      /* positions that the row attends to, columns of keys and values */
  const interval *q;             /* k */
  const interval *keys, *values; /* n x k */
  const interval *root;          /* sqrt(k) */
} attention_row;

#ifdef __FRAMAC__
#include "interval/interval_row.acsl"
#include "real/real_attention_lemmas.acsl"
#endif

/* s_j contains q . k_j / root. */
/*@ requires sides: side(n) && side(k);
    requires valid: \valid(s + (0 .. n - 1)) && \valid_read(q + (0 .. k - 1)) && \valid_read(root) && \valid(ws);
    requires valid_keys: \valid_read(keys + (0 .. row(n, k) - 1));
    requires live: live_vec(s, n) && live_vec(q, k) && live(root) && live_scratch(ws) && live_vec(keys, row(n, k));
    requires separated: \separated(s + (0 .. n - 1), ws, q + (0 .. k - 1));
    requires separated_keys: \separated(s + (0 .. n - 1), ws, keys + (0 .. row(n, k) - 1));
    requires separated_root: \separated(s + (0 .. n - 1), ws, root);
    terminates \true;
    assigns s[0 .. n - 1], *ws;
    ensures contains: \forall rvec x, m, real r;
      0.0 < r ==> in{Pre}(root, r) ==> in_vec{Pre}(q, x, 0, k) ==> in_vec{Pre}(keys, m, 0, row(n, k)) ==>
      in_vec(s, real_scores(x, m, r, k), 0, n); */
void score_enclosure(interval *s, const interval *q, const interval *keys, const interval *root, int n, int k,
                     interval_scratch *ws);

/* p_j contains exp(p_j - c) for every real c in `shift`. */
/*@ requires side: side(n);
    requires valid: \valid(p + (0 .. n - 1)) && \valid_read(shift);
    requires live: live_vec(p, n) && live(shift);
    requires separated: \separated(p + (0 .. n - 1), shift);
    terminates \true;
    assigns p[0 .. n - 1];
    ensures contains: \forall rvec s, real c; in{Pre}(shift, c) ==> in_vec{Pre}(p, s, 0, n) ==>
      \forall integer j; 0 <= j < n ==> in(p + j, rexp_shifted(entry(s, j), c)); */
void shifted_exponential_enclosure(interval *p, const interval *shift, int n);

/* p_j contains exp(p_j) / sum_t exp(p_t). The scores are shifted by the largest upper end, so that no argument of exp
 * exceeds the width of a score; and a weight is in [0, 1] whatever the intervals say. */
/*@ requires sides: side(n) && 1 <= n && 1 <= precision;
    requires valid: \valid(p + (0 .. n - 1)) && \valid(ws);
    requires live: live_vec(p, n) && live_scratch(ws);
    requires separated: \separated(p + (0 .. n - 1), ws);
    terminates \true;
    assigns p[0 .. n - 1], *ws, mpfr_lives;
    ensures contains: \forall rvec s; in_vec{Pre}(p, s, 0, n) ==> in_vec(p, real_weights(s, n), 0, n);
    ensures lives: same_lives{Pre, Post}; */
void softmax_enclosure(interval *p, int n, mpfr_prec_t precision, interval_scratch *ws);

/* out_c contains out_c + a x_c. */
/*@ requires side: side(n);
    requires valid: \valid(out + (0 .. n - 1)) && \valid_read(a) && \valid_read(x + (0 .. n - 1)) && \valid(ws);
    requires live: live_vec(out, n) && live(a) && live_vec(x, n) && live_scratch(ws);
    requires separated: \separated(out + (0 .. n - 1), ws, a, x + (0 .. n - 1));
    terminates \true;
    assigns out[0 .. n - 1], *ws;
    ensures contains: row_plus{Pre, Pre, Post}(out, a, x, n); */
void scaled_row_add(interval *out, const interval *a, const interval *x, int n, interval_scratch *ws);

/* y contains sum_j p_j v_j. */
/*@ requires sides: side(n) && side(k);
    requires valid: \valid(y + (0 .. k - 1)) && \valid_read(p + (0 .. n - 1)) && \valid(ws);
    requires valid_values: \valid_read(values + (0 .. row(n, k) - 1));
    requires live: live_vec(y, k) && live_vec(p, n) && live_scratch(ws) && live_vec(values, row(n, k));
    requires separated: \separated(y + (0 .. k - 1), ws, p + (0 .. n - 1), values + (0 .. row(n, k) - 1));
    terminates \true;
    assigns y[0 .. k - 1], *ws;
    ensures contains: \forall rvec w, v; in_vec{Pre}(p, w, 0, n) ==> in_vec{Pre}(values, v, 0, row(n, k)) ==>
      in_vec(y, real_mean(w, v, k, n), 0, k); */
void mean_enclosure(interval *y, const interval *p, const interval *values, int n, int k, interval_scratch *ws);

/* The whole row: p contains the weights of the scores of q, and y their mean of the values. */
/*@ requires sides: side(a.n) && side(a.k) && 1 <= a.n && 1 <= precision;
    requires valid: \valid(p + (0 .. a.n - 1)) && \valid(y + (0 .. a.k - 1)) && \valid_read(a.q + (0 .. a.k - 1));
    requires valid_root: \valid_read(a.root) && \valid(ws);
    requires valid_matrices: \valid_read(a.keys + (0 .. row(a.n, a.k) - 1)) &&
                             \valid_read(a.values + (0 .. row(a.n, a.k) - 1));
    requires live: live_vec(p, a.n) && live_vec(y, a.k) && live_vec(a.q, a.k) && live(a.root) && live_scratch(ws) &&
      live_vec(a.keys, row(a.n, a.k)) && live_vec(a.values, row(a.n, a.k));
    requires separated: \separated(p + (0 .. a.n - 1), y + (0 .. a.k - 1), ws, a.q + (0 .. a.k - 1));
    requires separated_keys: \separated(p + (0 .. a.n - 1), y + (0 .. a.k - 1), ws, a.keys + (0 .. row(a.n, a.k) - 1));
    requires separated_values: \separated(p + (0 .. a.n - 1), y + (0 .. a.k - 1), ws,
                                          a.values + (0 .. row(a.n, a.k) - 1));
    requires separated_root: \separated(p + (0 .. a.n - 1), y + (0 .. a.k - 1), ws, a.root);
    terminates \true;
    assigns p[0 .. a.n - 1], y[0 .. a.k - 1], *ws, mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures frame: keeps_two{Pre, Post}(p, a.n, y, a.k, ws);
    ensures weights: \forall rvec x, m, real r;
      0.0 < r ==> in{Pre}(a.root, r) ==> in_vec{Pre}(a.q, x, 0, a.k) ==> in_vec{Pre}(a.keys, m, 0, row(a.n, a.k)) ==>
      in_vec(p, real_attention(x, m, r, a.k, a.n), 0, a.n);
    ensures mean: \forall rvec x, m, v, real r;
      0.0 < r ==> in{Pre}(a.root, r) ==> in_vec{Pre}(a.q, x, 0, a.k) ==> in_vec{Pre}(a.keys, m, 0, row(a.n, a.k)) ==>
      in_vec{Pre}(a.values, v, 0, row(a.n, a.k)) ==>
      in_vec(y, real_mean(real_attention(x, m, r, a.k, a.n), v, a.k, a.n), 0, a.k); */
void attention_row_enclosure(interval *p, interval *y, attention_row a, mpfr_prec_t precision, interval_scratch *ws);

#endif
