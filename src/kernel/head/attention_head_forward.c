#include "kernel/head/attention_head_row.h"
#include "kernel/linear/index.h"
#include "kernel/linear/matrix.h"

#ifdef __FRAMAC__
#include "head_framing/attention_frame_lemmas.acsl"
#endif

/* Row i of P (n columns) and of Y (k columns), with the first m positions in N(i). */
/*@ predicate row_weighted{L}(double *weights, double *query, double *key, real root, integer n, integer k, integer i,
                              integer m) =
      \forall integer j; 0 <= j < m ==>
        weights[row(i, n) + j] == attention_weight(query + row(i, k), key, root, k, m, j);
    predicate row_masked{L}(double *weights, integer n, integer i, integer m) =
      \forall integer j; m <= j < n ==> vanishes(weights[row(i, n) + j]);
    predicate row_averaged{L}(double *output, double *weights, double *value, integer n, integer k, integer i,
      integer m) =
      \forall integer r; 0 <= r < k ==>
        output[row(i, k) + r] == attention_mean(weights + row(i, n), value, k, r, m);
    predicate is_attention_row{L}(double *output, double *weights, double *query, double *key, double *value, real root,
                                  integer n, integer k, integer i, integer m) =
      row_weighted(weights, query, key, root, n, k, i, m) && row_masked(weights, n, i, m) &&
      row_averaged(output, weights, value, n, k, i, m); */

/* An array and a column of a matrix that are the same at both moments. */
/*@ predicate same_entries{L1, L2}(double *a, integer n) =
      \forall integer t; 0 <= t < n ==> \at(a[t], L1) == \at(a[t], L2);
    predicate same_column{L1, L2}(double *m, integer c, integer j, integer n) =
      \forall integer t; 0 <= t < n ==> \at(m[row(t, c) + j], L1) == \at(m[row(t, c) + j], L2); */

/* p_j = 0 for the positions j outside N(i), which are the last ones. */
/*@ requires sides: 0 <= attended <= n;
    requires valid: \valid(p + (0 .. n - 1));
    terminates \true;
    assigns p[attended .. n - 1];
    ensures result: \forall integer j; attended <= j < n ==> vanishes(p[j]); */
static void mask(double *p, int attended, int n) {
  /*@ loop invariant range: attended <= j <= n;
      loop invariant done: \forall integer t; attended <= t < j ==> vanishes(p[t]);
      loop assigns j, p[attended .. n - 1];
      loop variant n - j; */
  for (int j = attended; j < n; j++) p[j] = 0.0;
}

/* Row i of P and of Y is what row_* say of the arrays of the head. */
/*@ predicate is_head_row{L}(attention_head *head, integer i) =
      is_attention_row(head->output, head->weights, head->query, head->key, head->value, head->root, head->n,
                       head->head_dim, i, attended_keys(head->mask, i, head->n)); */

/* One token: row p of P, zero beyond the a.n first of n positions, and the mean y = sum_j p_j v_j of these. */
/*@ requires sides: row_sides(a) && side(n) && 1 <= a.n <= n;
    requires valid: \valid(y + (0 .. a.k - 1)) && \valid(p + (0 .. n - 1)) && \valid_read(a.query + (0 .. a.k - 1));
    requires valid_rows: \valid_read(a.keys + (0 .. row(a.n, a.k) - 1)) &&
                         \valid_read(a.values + (0 .. row(a.n, a.k) - 1));
    requires separated: \separated(p + (0 .. n - 1), a.query + (0 .. a.k - 1)) &&
                        \separated(p + (0 .. n - 1), a.keys + (0 .. row(a.n, a.k) - 1));
    requires separated_mean: \separated(y + (0 .. a.k - 1), p + (0 .. n - 1)) &&
                             \separated(y + (0 .. a.k - 1), a.values + (0 .. row(a.n, a.k) - 1)) &&
                             \separated(p + (0 .. n - 1), a.values + (0 .. row(a.n, a.k) - 1));
    terminates \true;
    assigns y[0 .. a.k - 1], p[0 .. n - 1];
    ensures weights: \forall integer j; 0 <= j < a.n ==>
      p[j] == attention_weight{Pre}(a.query, a.keys, a.root, a.k, a.n, j);
    ensures masked: \forall integer j; a.n <= j < n ==> vanishes(p[j]);
    ensures mean: \forall integer r; 0 <= r < a.k ==> y[r] == attention_mean(p, a.values, a.k, r, a.n); */
static void attend(double *y, double *p, attention_row_view a, int n) {
  attention_weights(p, a.query, a.keys, a.root, a.n, a.k);
  //@ ghost Weighted:;
  mask(p, a.n, n);
  //@ assert kept: \forall integer j; 0 <= j < a.n ==> p[j] == \at(p[j], Weighted);
  //@ ghost Zeroed:;
  vector_matrix(y, p, a.values, a.n, a.k);
  //@ assert same_weights: \forall integer j; 0 <= j < n ==> p[j] == \at(p[j], Zeroed);
  /*@ assert same_values: \forall integer t, r; 0 <= t < a.n ==> 0 <= r < a.k ==>
                          a.values[row(t, a.k) + r] == \at(a.values[row(t, a.k) + r], Zeroed); */
  /*@ assert same: \forall integer r; 0 <= r < a.k ==>
                   vec_mat(p, a.values, a.k, r, a.n) == vec_mat{Zeroed}(p, a.values, a.k, r, a.n); */
}

/* Row i of P and of Y from Q, K and V of all tokens; the rows before keep what they are. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_state_writable(head) && 0 <= i < head->n;
    terminates \true;
    assigns head->output[row(i, head->head_dim) .. row(i, head->head_dim) + head->head_dim - 1],
            head->weights[row(i, head->n) .. row(i, head->n) + head->n - 1];
    ensures current: is_head_row(head, i);
    ensures earlier: \forall integer q; 0 <= q < i ==> is_head_row{Pre}(head, q) ==> is_head_row(head, q); */
static void attend_row(const attention_head *head, int i) {
  const int n = head->n, k = head->head_dim;
  double *output = head->output, *weights = head->weights;
  const attention_row_view a = attention_head_row(head, i);
  //@ ghost const double *query = head->query, *key = a.keys, *value = a.values;
  //@ ghost const double root = a.root;
  //@ assert part: 0 <= row(a.n, k) <= row(n, k);
  //@ assert inside_row: 0 <= row(i, k) && row(i, k) + k <= row(n, k) && 0 <= row(i, n) && row(i, n) + n <= row(n, n);
  //@ ghost Before:;
  attend(output + row_offset(i, k, n), weights + row_offset(i, n, n), a, n);
  //@ assert rows: \forall integer q; 0 <= q < i ==> 0 <= row(q, n) && row(q, n) + n <= row(i, n);
  //@ assert vectors: \forall integer q; 0 <= q < i ==> 0 <= row(q, k) && row(q, k) + k <= row(i, k);
  //@ assert inside: \forall integer t, r; 0 <= t < n ==> 0 <= r < k ==> 0 <= row(t, k) + r < row(n, k);
  /*@ assert scores: \forall integer q, j; 0 <= q < n ==> 0 <= j < n ==>
        score{Before}(query + row(q, k), key, root, k, j) == score(query + row(q, k), key, root, k, j); */
  /*@ assert sums: \forall integer q, m; 0 <= q < n ==> 0 <= m <= n ==>
        sum_exp_scores{Before}(query + row(q, k), key, root, k, m) ==
          sum_exp_scores(query + row(q, k), key, root, k, m); */
  /*@ assert formulas: \forall integer q, m, j; 0 <= q < n ==> 0 <= j < m <= n ==>
        attention_weight{Before}(query + row(q, k), key, root, k, m, j) ==
        attention_weight(query + row(q, k), key, root, k, m, j); */
  /*@ assert kept_weights: \forall integer q, j; 0 <= q < i ==> 0 <= j < n ==>
        \at(weights[row(q, n) + j], Before) == weights[row(q, n) + j]; */
  /*@ assert kept_output: \forall integer q, r; 0 <= q < i ==> 0 <= r < k ==>
        \at(output[row(q, k) + r], Before) == output[row(q, k) + r]; */
  /*@ assert same_weights: \forall integer q, m; 0 <= q < i ==> m <= n ==>
        same_entries{Before, Here}(weights + row(q, n), m); */
  //@ assert same_values: \forall integer r, m; 0 <= r < k ==> m <= n ==> same_column{Before, Here}(value, k, r, m);
  /*@ assert kept_means: \forall integer q, r, m; 0 <= q < i ==> 0 <= r < k ==> m <= n ==>
        vec_mat{Before}(weights + row(q, n), value, k, r, m) == vec_mat(weights + row(q, n), value, k, r, m); */
  /*@ assert weighted: \forall integer q, m; 0 <= q < i ==> 0 <= m <= n ==>
        row_weighted{Before}(weights, query, key, root, n, k, q, m) ==>
        row_weighted(weights, query, key, root, n, k, q, m); */
  /*@ assert masked: \forall integer q, m; 0 <= q < i ==> 0 <= m <= n ==>
        row_masked{Before}(weights, n, q, m) ==> row_masked(weights, n, q, m); */
  /*@ assert averaged: \forall integer q, m; 0 <= q < i ==> 0 <= m <= n ==>
        row_averaged{Before}(output, weights, value, n, k, q, m) ==>
        row_averaged(output, weights, value, n, k, q, m); */
  //@ assert current_weights: row_weighted(weights, query, key, root, n, k, i, a.n);
  //@ assert current_mask: row_masked(weights, n, i, a.n);
  //@ assert current_mean: row_averaged(output, weights, value, n, k, i, a.n);
  //@ assert attended: \forall integer q; 0 <= q < n ==> 1 <= attended_keys(head->mask, q, head->n) <= n;
}

/* Every token: the weights and the outputs, from q, k and v. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_state_writable(head);
    terminates \true;
    assigns head->output[0 .. row(head->n, head->head_dim) - 1], head->weights[0 .. row(head->n, head->n) - 1];
    ensures rows: \forall integer i; 0 <= i < head->n ==>
      is_attention_row(head->output, head->weights, head->query, head->key, head->value, head->root, head->n,
                       head->head_dim, i, attended_keys(head->mask, i, head->n)); */
static void attend_all(const attention_head *head) {
  const int n = head->n;
  //@ ghost const int k = head->head_dim;
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant rows: \forall integer q; 0 <= q < i ==> is_head_row(head, q);
      loop assigns i, head->output[0 .. row(n, k) - 1], head->weights[0 .. row(n, n) - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    //@ assert inside: 0 <= row(i, k) && row(i, k) + k <= row(n, k) && 0 <= row(i, n) && row(i, n) + n <= row(n, n);
    attend_row(head, i);
  }
}

/* Every token: q, k and v, from x. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_weights_readable(head) && head_state_writable(head);
    requires input: \valid_read(x + (0 .. row(head->n, head->dim) - 1));
    requires outside: head_inputs_outside(head, x, head->query, row(head->n, head->head_dim)) &&
                      head_inputs_outside(head, x, head->key, row(head->n, head->head_dim)) &&
                      head_inputs_outside(head, x, head->value, row(head->n, head->head_dim));
    terminates \true;
    assigns head->query[0 .. row(head->n, head->head_dim) - 1], head->key[0 .. row(head->n, head->head_dim) - 1],
            head->value[0 .. row(head->n, head->head_dim) - 1];
    ensures query: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      head->query[row(i, head->head_dim) + r] ==
      affine{Pre}(head->query_weight, head->query_bias, x + row(i, head->dim), head->dim, r);
    ensures key: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      head->key[row(i, head->head_dim) + r] ==
      affine{Pre}(head->key_weight, head->key_bias, x + row(i, head->dim), head->dim, r);
    ensures value: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      head->value[row(i, head->head_dim) + r] ==
      affine{Pre}(head->value_weight, head->value_bias, x + row(i, head->dim), head->dim, r); */
static void project_tokens(const attention_head *head, const double *x) {
  const int n = head->n, d = head->dim, k = head->head_dim;
  //@ assert weights: \forall integer r, t; 0 <= r < k ==> 0 <= t < d ==> 0 <= row(r, d) + t < row(k, d);
  //@ assert tokens: \forall integer i, t; 0 <= i < n ==> 0 <= t < d ==> 0 <= row(i, d) + t < row(n, d);
  //@ assert entries: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==> 0 <= row(i, k) + r < row(n, k);
  affine_rows(head->query, head->query_weight, head->query_bias, x, n, k, d);
  //@ ghost Keys:;
  /*@ assert keys: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        mat_vec(head->key_weight, x + row(i, d), d, r) == mat_vec{Pre}(head->key_weight, x + row(i, d), d, r); */
  /*@ assert values: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        mat_vec(head->value_weight, x + row(i, d), d, r) == mat_vec{Pre}(head->value_weight, x + row(i, d), d, r); */
  /*@ assert key_bias: \forall integer r; 0 <= r < k ==>
        bias_entry(head->key_bias, r) == bias_entry{Pre}(head->key_bias, r); */
  /*@ assert value_bias: \forall integer r; 0 <= r < k ==>
                         bias_entry(head->value_bias, r) == bias_entry{Pre}(head->value_bias, r); */
  affine_rows(head->key, head->key_weight, head->key_bias, x, n, k, d);
  //@ ghost Values:;
  /*@ assert kept: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                   head->query[row(i, k) + r] == \at(head->query[row(i, \at(k, Here)) + r], Keys); */
  /*@ assert still_values: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        mat_vec(head->value_weight, x + row(i, d), d, r) == mat_vec{Keys}(head->value_weight, x + row(i, d), d, r); */
  /*@ assert still_bias: \forall integer r; 0 <= r < k ==>
                         bias_entry(head->value_bias, r) == bias_entry{Keys}(head->value_bias, r); */
  affine_rows(head->value, head->value_weight, head->value_bias, x, n, k, d);
  /*@ assert kept_queries: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                           head->query[row(i, k) + r] == \at(head->query[row(i, \at(k, Here)) + r], Values); */
  /*@ assert kept_keys: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                        head->key[row(i, k) + r] == \at(head->key[row(i, \at(k, Here)) + r], Values); */
}

void attention_head_forward(const attention_head *head, const double *x) {
  project_tokens(head, x);
  //@ ghost Projected:;
  /*@ assert entries: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
                      0 <= row(i, head->head_dim) + r < row(head->n, head->head_dim); */
  attend_all(head);
  /*@ assert kept_queries: \forall integer e; 0 <= e < row(head->n, head->head_dim) ==>
                           head->query[e] == \at(head->query[e], Projected); */
  /*@ assert kept_keys: \forall integer e; 0 <= e < row(head->n, head->head_dim) ==>
                        head->key[e] == \at(head->key[e], Projected); */
  /*@ assert kept_values: \forall integer e; 0 <= e < row(head->n, head->head_dim) ==>
                          head->value[e] == \at(head->value[e], Projected); */
  /*@ assert query: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
        head->query[row(i, head->head_dim) + r] ==
        affine{Pre}(head->query_weight, head->query_bias, x + row(i, head->dim), head->dim, r); */
  /*@ assert key: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
        head->key[row(i, head->head_dim) + r] ==
        affine{Pre}(head->key_weight, head->key_bias, x + row(i, head->dim), head->dim, r); */
  /*@ assert value: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
        head->value[row(i, head->head_dim) + r] ==
        affine{Pre}(head->value_weight, head->value_bias, x + row(i, head->dim), head->dim, r); */
}
