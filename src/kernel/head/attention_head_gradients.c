#include "kernel/head/attention_head.h"
#include "kernel/linear/index.h"
#include "kernel/row/jacobian_block.h"

/* Row i of g (n x d) = W^T z_i / root, for every row z_i of z (n x k); W is k x d. */
/*@ requires sides: side(n) && side(k) && side(d);
    requires root: 0.0 < root;
    requires valid: \valid(g + (0 .. row(n, d) - 1)) && \valid_read(z + (0 .. row(n, k) - 1));
    requires valid_weights: \valid_read(w + (0 .. row(k, d) - 1));
    requires separated: \separated(g + (0 .. row(n, d) - 1), z + (0 .. row(n, k) - 1));
    requires separated_weights: \separated(g + (0 .. row(n, d) - 1), w + (0 .. row(k, d) - 1));
    terminates \true;
    assigns g[0 .. row(n, d) - 1];
    ensures result: \forall integer i, c; 0 <= i < n ==> 0 <= c < d ==>
                    g[row(i, d) + c] == score_gradient{Pre}(w, z + row(i, k), root, k, d, c); */
static void gradient_rows(double *g, const double *w, const double *z, double root, int n, int k, int d) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant done: \forall integer q, c; 0 <= q < i ==> 0 <= c < d ==>
                           g[row(q, d) + c] == score_gradient{Pre}(w, z + row(q, k), root, k, d, c);
      loop assigns i, g[0 .. row(n, d) - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, d) && row(q, d) + d <= row(i, d);
    //@ ghost Before:;
    score_gradient(g + row_offset(i, d, n), w, z + row_offset(i, k, n), root, k, d);
    //@ assert inside: \forall integer t, c; 0 <= t < k ==> 0 <= c < d ==> 0 <= row(t, d) + c < row(k, d);
    /*@ assert product: \forall integer c; 0 <= c < d ==>
                        vec_mat{Before}(z + row(i, k), w, d, c, k) == vec_mat{Pre}(z + row(i, k), w, d, c, k); */
    /*@ assert current: \forall integer c; 0 <= c < d ==>
                        g[row(i, d) + c] == score_gradient{Pre}(w, z + row(i, k), root, k, d, c); */
    /*@ assert kept: \forall integer q, c; 0 <= q < i ==> 0 <= c < d ==>
                     g[row(q, d) + c] == \at(g[row(q, d) + c], Before); */
  }
}

void attention_head_gradients(double *g, double *h, const attention_head *head) {
  const int n = head->n, d = head->dim, k = head->head_dim;
  gradient_rows(g, head->key_weight, head->query, head->root, n, k, d);
  //@ ghost First:;
  //@ assert weights: \forall integer t, c; 0 <= t < k ==> 0 <= c < d ==> 0 <= row(t, d) + c < row(k, d);
  //@ assert vectors: \forall integer i, t; 0 <= i < n ==> 0 <= t < k ==> 0 <= row(i, k) + t < row(n, k);
  /*@ assert same_weights: \forall integer t, c; 0 <= t < k ==> 0 <= c < d ==>
                           head->query_weight[row(t, d) + c] ==
                             \at(head->query_weight[row(t, \at(d, Here)) + c], Pre); */
  /*@ assert same_keys: \forall integer i, t; 0 <= i < n ==> 0 <= t < k ==>
                        head->key[row(i, k) + t] == \at(head->key[row(i, \at(k, Here)) + t], Pre); */
  /*@ assert same: \forall integer i, c; 0 <= i < n ==> 0 <= c < d ==>
                   vec_mat{First}(head->key + row(i, k), head->query_weight, d, c, k) ==
                   vec_mat{Pre}(head->key + row(i, k), head->query_weight, d, c, k); */
  gradient_rows(h, head->query_weight, head->key, head->root, n, k, d);
}
