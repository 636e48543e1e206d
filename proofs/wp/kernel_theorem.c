/* The theorem about the kernel: from q_i, the keys, the values and the weights of a head to block (i, l) of its
 * Jacobian.
 *
 *   Where the head's arrays hold real vectors and matrices, the block computed holds the real Jacobian of these.
 *
 * It is the number that the theorem about intervals encloses (jacobian_theorem.c): real_jacobian_block of
 * spec/real/real_jacobian.acsl. n is the number of positions that token i attends to.
 *
 * No program calls this function: it is here to show that the contracts together make up the formula. The arrays are
 * those that attention_head_forward leaves behind; attention_jacobian makes the same calls for all tokens. */
#include "kernel/head/attention_head.h"
#include "kernel/linear/index.h"

#include "real/real_arrays_lemmas.acsl"

/* Row i of attention is in the head's arrays, as attention_head_forward promises it; and they hold these vectors. */
/*@ predicate head_row_computed{L}(attention_head *head, integer i) =
      is_attention_row(head->weights + row(i, head->n), head->output + row(i, head->head_dim),
                       head->query + row(i, head->head_dim), head->key, head->value, head->root, head->head_dim,
                       attended_keys(head->mask, i, head->n));

    predicate head_holds{L}(attention_head *head, integer i, rvec x, rvec m, rvec v, rvec wq, rvec wk, rvec wv) =
      holds(head->query + row(i, head->head_dim), x, head->head_dim) &&
      holds_matrix(head->key, m, head->n, head->head_dim) && holds_matrix(head->value, v, head->n, head->head_dim) &&
      holds_matrix(head->query_weight, wq, head->head_dim, head->dim) &&
      holds_matrix(head->key_weight, wk, head->head_dim, head->dim) &&
      holds_matrix(head->value_weight, wv, head->head_dim, head->dim); */

/* Gradients, then the block; g and h are n x dim. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_weights_readable(head) && head_state_readable(head);
    requires position: 0 <= i < head->n && 0 <= l < attended_keys(head->mask, i, head->n);
    requires computed: head_row_computed(head, i);
    requires gradients: \valid(g + (0 .. row(head->n, head->dim) - 1)) &&
                        \valid(h + (0 .. row(head->n, head->dim) - 1));
    requires out: \valid(block + (0 .. row(head->head_dim, head->dim) - 1));
    requires outside: head_outside(head, g, row(head->n, head->dim)) &&
                      head_outside(head, h, row(head->n, head->dim)) &&
                      head_outside(head, block, row(head->head_dim, head->dim));
    requires separated: \separated(g + (0 .. row(head->n, head->dim) - 1), h + (0 .. row(head->n, head->dim) - 1)) &&
                        \separated(block + (0 .. row(head->head_dim, head->dim) - 1),
                                   g + (0 .. row(head->n, head->dim) - 1)) &&
                        \separated(block + (0 .. row(head->head_dim, head->dim) - 1),
                                   h + (0 .. row(head->n, head->dim) - 1));
    terminates \true;
    assigns block[0 .. row(head->head_dim, head->dim) - 1], g[0 .. row(head->n, head->dim) - 1],
            h[0 .. row(head->n, head->dim) - 1];
    ensures theorem: \forall rvec x, m, v, wq, wk, wv; head_holds{Pre}(head, i, x, m, v, wq, wk, wv) ==>
      \forall integer r, c; 0 <= r < head->head_dim ==> 0 <= c < head->dim ==> block[row(r, head->dim) + c] ==
        real_jacobian_block(x, m, v, wq, wk, wv, head->root, head->head_dim, head->dim,
                            attended_keys(head->mask, i, head->n), i, l, r, c); */
void jacobian_block_theorem(double *block, double *g, double *h, const attention_head *head, int i, int l) {
  const int n = head->n, d = head->dim, k = head->head_dim, attended = attended_keys(head->mask, i, n);
  const double *p = head->weights + row_offset(i, n, n), *y = head->output + row_offset(i, k, n);
  const double *values = head->value, *weight = head->value_weight, *g_i = g + row_offset(i, d, n);
  //@ ghost Start:;
  //@ assert inside: row(i, n) + n <= row(n, n) && row(i, k) + k <= row(n, k) && row(i, d) + d <= row(n, d);
  //@ assert computed: is_attention_row(p, y, head->query + row(i, k), head->key, values, head->root, k, attended);
  //@ assert first_keys: \forall rvec m; holds_matrix(head->key, m, n, k) ==> holds_matrix(head->key, m, attended, k);
  //@ assert first_values: \forall rvec v; holds_matrix(values, v, n, k) ==> holds_matrix(values, v, attended, k);
  /*@ assert row: \forall rvec x, m, v, wq, wk, wv; head_holds(head, i, x, m, v, wq, wk, wv) ==>
        holds(p, real_attention(x, m, head->root, k, attended), attended) &&
        holds(y, real_mean(real_attention(x, m, head->root, k, attended), v, k, attended), k); */
  attention_head_gradients(g, h, head);
  //@ ghost Evaluated:;
  //@ assert same_weights: \forall integer t; 0 <= t < attended ==> p[t] == \at(p[t], Start);
  //@ assert same_output: \forall integer t; 0 <= t < k ==> y[t] == \at(y[t], Start);
  /*@ assert same_row: \forall rvec a, b; holds{Start}(p, a, attended) && holds{Start}(y, b, k) ==>
        holds(p, a, attended) && holds(y, b, k); */
  /*@ assert value_inside: \forall integer j, r; 0 <= j < attended ==> 0 <= r < k ==>
        0 <= row(j, k) + r < row(n, k) && values[row(j, k) + r] == \at(values[row(j, k) + r], Start); */
  /*@ assert same_value: \forall rvec v; holds_matrix{Start}(values, v, attended, k) ==>
        holds_matrix(values, v, attended, k); */
  /*@ assert weight_inside: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        0 <= row(r, d) + c < row(k, d) && weight[row(r, d) + c] == \at(weight[row(r, d) + c], Start); */
  /*@ assert same_weight: \forall rvec w; holds_matrix{Start}(weight, w, k, d) ==> holds_matrix(weight, w, k, d); */
  /*@ assert gradients: are_gradients{Start, Here}(g_i, h, head->query + row(i, k), head->key, head->key_weight,
                                                   head->query_weight, head->root, k, d, attended); */
  /*@ assert gradients_hold: \forall rvec x, m, v, wq, wk, wv; head_holds{Start}(head, i, x, m, v, wq, wk, wv) ==>
        holds(g_i, real_gradient(x, wk, head->root, k, d), d) &&
        holds_matrix(h, real_gradients(m, wq, head->root, k, d), attended, d); */
  //@ assert entry_l: \forall rvec a; holds(p, a, attended) ==> p[l] == entry(a, l);
  /*@ assert formula: \forall rvec a, b, u, w, v, wv, integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        holds(p, a, attended) ==> holds(y, b, k) ==> holds(g_i, u, d) ==> holds_matrix(h, w, attended, d) ==>
        holds_matrix(values, v, attended, k) ==> holds_matrix(weight, wv, k, d) ==>
        jacobian_entry(weight, values + row(l, k), y, g_i, p[l], d, r, c) +
          (l == i ? covariance(p, values, y, h, k, d, r, c, attended) : 0.0) ==
        real_block(a, v, b, wv, u, w, k, d, attended, i, l, r, c); */
  attention_head_jacobian_block(block, head, g, h, i, l);
  //@ assert same_entry: p[l] == \at(p[l], Evaluated);
  /*@ assert off_diagonal: l != i ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==> block[row(r, d) + c] ==
        jacobian_entry{Evaluated}(weight, values + row(l, k), y, g_i, \at(p[l], Evaluated), d, r, c); */
  /*@ assert diagonal: l == i ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==> block[row(r, d) + c] ==
        jacobian_entry{Evaluated}(weight, values + row(l, k), y, g_i, \at(p[l], Evaluated), d, r, c) +
        covariance{Evaluated}(p, values, y, h, k, d, r, c, attended); */
  /*@ assert block: \forall rvec a, b, u, w, v, wv; holds{Evaluated}(p, a, attended) ==> holds{Evaluated}(y, b, k) ==>
        holds{Evaluated}(g_i, u, d) ==> holds_matrix{Evaluated}(h, w, attended, d) ==>
        holds_matrix{Evaluated}(values, v, attended, k) ==> holds_matrix{Evaluated}(weight, wv, k, d) ==>
        \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        block[row(r, d) + c] == real_block(a, v, b, wv, u, w, k, d, attended, i, l, r, c); */
}
