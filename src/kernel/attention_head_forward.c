#include "kernel/attention_head.h"
#include "kernel/attention_row.h"
#include "kernel/index.h"
#include "kernel/matrix.h"

#ifdef __FRAMAC__
#include "attention_same.acsl"
#endif

/*@ predicate zero_from{L}(double *p, integer reach, integer n) = \forall integer j; reach <= j < n ==> vanishes(p[j]); */

/* Row i of P (n columns) and of Y (k columns), with the first m positions in N(i). */
/*@ predicate weights_in_row{L1, L2}(double *p, integer n, integer i, double *q, double *keys, real root, integer k, integer m) =
      \forall integer j; 0 <= j < m ==>
        \at(p[row(i, n) + j], L2) == attention_weight{L1}(q + row(i, k), keys, root, k, m, j);
    predicate zeros_in_row{L}(double *p, integer n, integer i, integer m) =
      \forall integer j; m <= j < n ==> vanishes(p[row(i, n) + j]);
    predicate means_in_row{L}(double *y, integer k, integer i, double *p, integer n, double *values, integer m) =
      \forall integer r; 0 <= r < k ==> y[row(i, k) + r] == attention_mean(p + row(i, n), values, k, r, m); */

/* p_j = 0 for the positions j outside N(i), which are the last ones. */
/*@ requires sides: 0 <= reach <= n;
    requires valid: \valid(p + (0 .. n - 1));
    terminates \true;
    assigns p[reach .. n - 1];
    ensures result: zero_from(p, reach, n); */
static void mask(double *p, int reach, int n) {
  /*@ loop invariant range: reach <= j <= n;
      loop invariant done: \forall integer t; reach <= t < j ==> vanishes(p[t]);
      loop assigns j, p[reach .. n - 1];
      loop variant n - j; */
  for (int j = reach; j < n; j++) p[j] = 0.0;
}

/* One token: row p of P, zero beyond the first reach of n positions, and the mean y = sum_{j < reach} p_j v_j. */
/*@ requires sides: side(n) && side(k) && 1 <= reach <= n;
    requires root: 0.0 < root;
    requires valid: \valid(y + (0 .. k - 1)) && \valid(p + (0 .. n - 1)) && \valid_read(q + (0 .. k - 1));
    requires valid_rows: \valid_read(keys + (0 .. row(n, k) - 1)) && \valid_read(values + (0 .. row(n, k) - 1));
    requires separated: \separated(p + (0 .. n - 1), q + (0 .. k - 1)) &&
                        \separated(p + (0 .. n - 1), keys + (0 .. row(n, k) - 1));
    requires separated_mean: \separated(y + (0 .. k - 1), p + (0 .. n - 1)) &&
                             \separated(y + (0 .. k - 1), values + (0 .. row(n, k) - 1));
    terminates \true;
    assigns y[0 .. k - 1], p[0 .. n - 1];
    ensures weights: \forall integer j; 0 <= j < reach ==> p[j] == attention_weight{Pre}(q, keys, root, k, reach, j);
    ensures masked: zero_from(p, reach, n);
    ensures mean: \forall integer r; 0 <= r < k ==> y[r] == attention_mean(p, values, k, r, reach); */
static void attend(double *y, double *p, const double *q, const double *keys, const double *values, double root,
                   int reach, int n, int k) {
  //@ assert part: 0 <= row(reach, k) <= row(n, k);
  attention_weights(p, q, keys, root, reach, k);
  //@ ghost Weighted:;
  mask(p, reach, n);
  //@ assert kept: \forall integer j; 0 <= j < reach ==> p[j] == \at(p[j], Weighted);
  //@ ghost Zeroed:;
  vector_matrix(y, p, values, reach, k);
  //@ assert same_weights: \forall integer j; 0 <= j < n ==> p[j] == \at(p[j], Zeroed);
  /*@ assert same_values: \forall integer t, r; 0 <= t < reach ==> 0 <= r < k ==>
                          values[row(t, k) + r] == \at(values[row(t, k) + r], Zeroed); */
  /*@ assert same: \forall integer r; 0 <= r < k ==>
                   vec_mat(p, values, k, r, reach) == vec_mat{Zeroed}(p, values, k, r, reach); */
}

/* Every token: the weights and the outputs, from q, k and v. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_state_writable(head);
    terminates \true;
    assigns head->output[0 .. row(head->n, head->head_dim) - 1], head->weights[0 .. row(head->n, head->n) - 1];
    ensures weights: \forall integer i, j; 0 <= i < head->n ==> 0 <= j < head_reach(head, i) ==>
      head->weights[row(i, head->n) + j] ==
      attention_weight(head->query + row(i, head->head_dim), head->key, head->root, head->head_dim,
                       head_reach(head, i), j);
    ensures masked: \forall integer i, j; 0 <= i < head->n ==> head_reach(head, i) <= j < head->n ==>
      vanishes(head->weights[row(i, head->n) + j]);
    ensures output: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      head->output[row(i, head->head_dim) + r] ==
      attention_mean(head->weights + row(i, head->n), head->value, head->head_dim, r, head_reach(head, i)); */
static void attend_all(const attention_head *head) {
  const int n = head->n, k = head->head_dim;
  const double *query = head->query, *key = head->key, *value = head->value, root = head->root;
  double *output = head->output, *weights = head->weights;
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant weights: \forall integer t; 0 <= t < i ==>
                              weights_in_row{Pre, Here}(weights, n, t, query, key, root, k, head_reach(head, t));
      loop invariant masked: \forall integer t; 0 <= t < i ==> zeros_in_row(weights, n, t, head_reach(head, t));
      loop invariant output: \forall integer t; 0 <= t < i ==>
                             means_in_row(output, k, t, weights, n, value, head_reach(head, t));
      loop assigns i, output[0 .. row(n, k) - 1], weights[0 .. row(n, n) - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    const int reach = attention_head_reach(head, i);
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, n) && row(q, n) + n <= row(i, n);
    //@ assert above_means: \forall integer q; 0 <= q < i ==> 0 <= row(q, k) && row(q, k) + k <= row(i, k);
    /*@ assert inside: \forall integer t, r; 0 <= t < n ==> 0 <= r < k ==> 0 <= row(t, k) + r < row(n, k); */
    /*@ assert scores: \forall integer j; 0 <= j < n ==>
                       score(query + row(i, k), key, root, k, j) == score{Pre}(query + row(i, k), key, root, k, j); */
    /*@ assert sums: sum_exp_scores(query + row(i, k), key, root, k, reach) ==
                     sum_exp_scores{Pre}(query + row(i, k), key, root, k, reach); */
    //@ ghost Before:;
    attend(output + row_offset(i, k, n), weights + row_offset(i, n, n), query + row_offset(i, k, n), key, value, root,
           reach, n, k);
    /*@ assert current: \forall integer j; 0 <= j < reach ==>
          weights[row(i, n) + j] == attention_weight{Pre}(query + row(i, k), key, root, k, reach, j); */
    /*@ assert kept: \forall integer q, j; 0 <= q < i ==> 0 <= j < n ==>
                     weights[row(q, n) + j] == \at(weights[row(q, n) + j], Before); */
    /*@ assert kept_means: \forall integer q, r; 0 <= q < i ==> 0 <= r < k ==>
                           output[row(q, k) + r] == \at(output[row(q, k) + r], Before); */
    /*@ assert kept_values: \forall integer t, r; 0 <= t < n ==> 0 <= r < k ==>
                            value[row(t, k) + r] == \at(value[row(t, k) + r], Before); */
    /*@ assert kept_sums: \forall integer q, r, m; 0 <= q < i ==> 0 <= r < k ==> 0 <= m <= n ==>
          vec_mat(weights + row(q, n), value, k, r, m) == vec_mat{Before}(weights + row(q, n), value, k, r, m); */
    //@ assert reach: \forall integer t; 0 <= t < n ==> 1 <= head_reach(head, t) <= n;
    /*@ assert above_weights: \forall integer t; 0 <= t < i ==>
                              weights_in_row{Pre, Here}(weights, n, t, query, key, root, k, head_reach(head, t)); */
    //@ assert above_masked: \forall integer t; 0 <= t < i ==> zeros_in_row(weights, n, t, head_reach(head, t));
    /*@ assert above_output: \forall integer t; 0 <= t < i ==>
                             means_in_row(output, k, t, weights, n, value, head_reach(head, t)); */
    //@ assert current_weights: weights_in_row{Pre, Here}(weights, n, i, query, key, root, k, head_reach(head, i));
    //@ assert current_masked: zeros_in_row(weights, n, i, head_reach(head, i));
    //@ assert current_output: means_in_row(output, k, i, weights, n, value, head_reach(head, i));
  }
  //@ assert inside: \forall integer t, r; 0 <= t < n ==> 0 <= r < k ==> 0 <= row(t, k) + r < row(n, k);
  //@ assert root: head->root == root;
  /*@ assert scores: \forall integer i, j; 0 <= i < n ==> 0 <= j < n ==>
                     score(query + row(i, k), key, root, k, j) == score{Pre}(query + row(i, k), key, root, k, j); */
  /*@ assert sums: \forall integer i, m; 0 <= i < n ==> 0 <= m <= n ==>
        sum_exp_scores(query + row(i, k), key, root, k, m) == sum_exp_scores{Pre}(query + row(i, k), key, root, k, m); */
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
static void project(const attention_head *head, const double *x) {
  const int n = head->n, d = head->dim, k = head->head_dim;
  //@ assert weights: \forall integer r, t; 0 <= r < k ==> 0 <= t < d ==> 0 <= row(r, d) + t < row(k, d);
  //@ assert tokens: \forall integer i, t; 0 <= i < n ==> 0 <= t < d ==> 0 <= row(i, d) + t < row(n, d);
  //@ assert entries: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==> 0 <= row(i, k) + r < row(n, k);
  affine_rows(head->query, head->query_weight, head->query_bias, x, n, k, d);
  //@ ghost Keys:;
  /*@ assert same_tokens: \forall integer i, t; 0 <= i < n ==> 0 <= t < d ==>
                          x[row(i, d) + t] == \at(x[row(i, \at(d, Here)) + t], Pre); */
  /*@ assert same_keys: \forall integer r, t; 0 <= r < k ==> 0 <= t < d ==>
        head->key_weight[row(r, d) + t] == \at(head->key_weight[row(r, \at(d, Here)) + t], Pre); */
  /*@ assert keys: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        mat_vec(head->key_weight, x + row(i, d), d, r) == mat_vec{Pre}(head->key_weight, x + row(i, d), d, r); */
  //@ assert key_bias: \forall integer r; 0 <= r < k ==> bias_entry(head->key_bias, r) == bias_entry{Pre}(head->key_bias, r);
  affine_rows(head->key, head->key_weight, head->key_bias, x, n, k, d);
  //@ ghost Values:;
  /*@ assert key: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==> head->key[row(i, k) + r] ==
                  affine{Pre}(head->key_weight, head->key_bias, x + row(i, d), d, r); */
  /*@ assert same_tokens: \forall integer i, t; 0 <= i < n ==> 0 <= t < d ==>
                          x[row(i, d) + t] == \at(x[row(i, \at(d, Here)) + t], Pre); */
  /*@ assert same_values: \forall integer r, t; 0 <= r < k ==> 0 <= t < d ==>
        head->value_weight[row(r, d) + t] == \at(head->value_weight[row(r, \at(d, Here)) + t], Pre); */
  /*@ assert kept: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                   head->query[row(i, k) + r] == \at(head->query[row(i, \at(k, Here)) + r], Keys); */
  /*@ assert values: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        mat_vec(head->value_weight, x + row(i, d), d, r) == mat_vec{Pre}(head->value_weight, x + row(i, d), d, r); */
  /*@ assert value_bias: \forall integer r; 0 <= r < k ==>
                         bias_entry(head->value_bias, r) == bias_entry{Pre}(head->value_bias, r); */
  affine_rows(head->value, head->value_weight, head->value_bias, x, n, k, d);
  /*@ assert kept_queries: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                           head->query[row(i, k) + r] == \at(head->query[row(i, \at(k, Here)) + r], Values); */
  /*@ assert kept_keys: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                        head->key[row(i, k) + r] == \at(head->key[row(i, \at(k, Here)) + r], Values); */
}

void attention_head_forward(const attention_head *head, const double *x) {
  project(head, x);
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
}
