/* One head at one input X: views of its weights, and what its forward pass leaves behind for the Jacobian.
 *
 *   q_i = Q x_i + b_Q,  k_j = K x_j + b_K,  v_j = V x_j + b_V,
 *   P_i = softmax_{j in N(i)}(q_i . k_j / root),  y_i = sum_j P_ij v_j. */
#ifndef ATTCERT_KERNEL_HEAD_ATTENTION_HEAD_H
#define ATTCERT_KERNEL_HEAD_ATTENTION_HEAD_H

#include "attcert.h"
#include "kernel/row/attended_keys.h"

#ifdef __FRAMAC__
#include "attention/attention_lemmas.acsl"
#include "head/head_jvp.acsl"

#include "attention/jacobian.acsl"
#endif

typedef struct {
  int n, dim, head_dim;
  attcert_mask mask;
  double root;                                            /* sqrt(head_dim) */
  const double *query_weight, *key_weight, *value_weight; /* head_dim x dim: Q, K, V */
  const double *query_bias, *key_bias, *value_bias;       /* head_dim, or NULL for zero */
  double *query, *key, *value, *output;                   /* n x head_dim: q_i, k_j, v_j, y_i */
  double *weights;                                        /* n x n: P_ij, 0 outside N(i) */
} attention_head;

#ifdef __FRAMAC__
#include "head/head_forward.acsl"
#include "layer/layer_head.acsl"
#endif

/*@ predicate head_sides(attention_head *h) =
      side(h->n) && side(h->dim) && side(h->head_dim) && 1 <= h->n && 1 <= h->dim && 1 <= h->head_dim && 0.0 < h->root;

    predicate head_weights_readable{L}(attention_head *h) =
      \valid_read(h->query_weight + (0 .. row(h->head_dim, h->dim) - 1)) &&
      \valid_read(h->key_weight + (0 .. row(h->head_dim, h->dim) - 1)) &&
      \valid_read(h->value_weight + (0 .. row(h->head_dim, h->dim) - 1)) &&
      (h->query_bias == \null || \valid_read(h->query_bias + (0 .. h->head_dim - 1))) &&
      (h->key_bias == \null || \valid_read(h->key_bias + (0 .. h->head_dim - 1))) &&
      (h->value_bias == \null || \valid_read(h->value_bias + (0 .. h->head_dim - 1)));

    predicate head_state_readable{L}(attention_head *h) =
      \valid_read(h->query + (0 .. row(h->n, h->head_dim) - 1)) &&
      \valid_read(h->key + (0 .. row(h->n, h->head_dim) - 1)) &&
      \valid_read(h->value + (0 .. row(h->n, h->head_dim) - 1)) &&
      \valid_read(h->output + (0 .. row(h->n, h->head_dim) - 1)) &&
      \valid_read(h->weights + (0 .. row(h->n, h->n) - 1));

    predicate head_state_writable{L}(attention_head *h) =
      \valid(h->query + (0 .. row(h->n, h->head_dim) - 1)) &&
      \valid(h->key + (0 .. row(h->n, h->head_dim) - 1)) &&
      \valid(h->value + (0 .. row(h->n, h->head_dim) - 1)) &&
      \valid(h->output + (0 .. row(h->n, h->head_dim) - 1)) &&
      \valid(h->weights + (0 .. row(h->n, h->n) - 1)) &&
      \separated(h->query + (0 .. row(h->n, h->head_dim) - 1), h->key + (0 .. row(h->n, h->head_dim) - 1),
                 h->value + (0 .. row(h->n, h->head_dim) - 1), h->output + (0 .. row(h->n, h->head_dim) - 1),
                 h->weights + (0 .. row(h->n, h->n) - 1), h);

    predicate same_head{L1, L2}(attention_head *h) = \at(*h, L1) == \at(*h, L2); */

/* The head, without its biases, is outside a block of doubles. */
/*@ predicate head_outside{L}(attention_head *h, double *block, integer size) =
      \separated(block + (0 .. size - 1), h) &&
      \separated(block + (0 .. size - 1), h->query_weight + (0 .. row(h->head_dim, h->dim) - 1)) &&
      \separated(block + (0 .. size - 1), h->key_weight + (0 .. row(h->head_dim, h->dim) - 1)) &&
      \separated(block + (0 .. size - 1), h->value_weight + (0 .. row(h->head_dim, h->dim) - 1)) &&
      \separated(block + (0 .. size - 1), h->query + (0 .. row(h->n, h->head_dim) - 1)) &&
      \separated(block + (0 .. size - 1), h->key + (0 .. row(h->n, h->head_dim) - 1)) &&
      \separated(block + (0 .. size - 1), h->value + (0 .. row(h->n, h->head_dim) - 1)) &&
      \separated(block + (0 .. size - 1), h->output + (0 .. row(h->n, h->head_dim) - 1)) &&
      \separated(block + (0 .. size - 1), h->weights + (0 .. row(h->n, h->n) - 1)); */

/* X and the head's weights and biases are outside a block of doubles. */
/*@ predicate bias_outside{L}(double *bias, integer k, double *block, integer size) =
      bias == \null || \separated(block + (0 .. size - 1), bias + (0 .. k - 1));
    predicate head_inputs_outside{L}(attention_head *h, double *x, double *block, integer size) =
      \separated(block + (0 .. size - 1), x + (0 .. row(h->n, h->dim) - 1)) &&
      \separated(block + (0 .. size - 1), h->query_weight + (0 .. row(h->head_dim, h->dim) - 1)) &&
      \separated(block + (0 .. size - 1), h->key_weight + (0 .. row(h->head_dim, h->dim) - 1)) &&
      \separated(block + (0 .. size - 1), h->value_weight + (0 .. row(h->head_dim, h->dim) - 1)) &&
      bias_outside(h->query_bias, h->head_dim, block, size) && bias_outside(h->key_bias, h->head_dim, block, size) &&
      bias_outside(h->value_bias, h->head_dim, block, size); */

/* Doubles of storage behind attention_head_view. */
/*@ requires valid: \valid_read(layer) && layer_sides(layer) && side(n);
    terminates \true;
    assigns \nothing;
    ensures result: \result == head_size(layer, n); */
size_t attention_head_size(const attcert_layer *layer, int n);

/* Head h of the layer on n tokens, its arrays laid out in storage; no value is computed. It lives no longer than the
 * layer and the storage. */
/*@ requires valid: \valid_read(layer) && layer_sides(layer) && side(n) && 0 <= h < layer->heads;
    terminates \true;
    assigns \result \from *layer, h, n, storage;
    ensures result: is_view(\result, layer, h, n, storage); */
attention_head attention_head_view(const attcert_layer *layer, int h, int n, double *storage);

/* Fills the arrays of the head from x (n x dim). */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_weights_readable(head) && head_state_writable(head);
    requires input: \valid_read(x + (0 .. row(head->n, head->dim) - 1));
    requires outside: head_inputs_outside(head, x, head->query, row(head->n, head->head_dim)) &&
                      head_inputs_outside(head, x, head->key, row(head->n, head->head_dim)) &&
                      head_inputs_outside(head, x, head->value, row(head->n, head->head_dim));
    terminates \true;
    assigns head->query[0 .. row(head->n, head->head_dim) - 1], head->key[0 .. row(head->n, head->head_dim) - 1],
            head->value[0 .. row(head->n, head->head_dim) - 1], head->output[0 .. row(head->n, head->head_dim) - 1],
            head->weights[0 .. row(head->n, head->n) - 1];
    ensures projected: view_projected{Pre, Post}(x, *head);
    ensures weighted: view_weighted(*head);
    ensures masked: view_masked(*head);
    ensures averaged: view_averaged(*head); */
void attention_head_forward(const attention_head *head, const double *x);

/* Rows of g and h (n x dim): g_i = K^T q_i / root and h_j = Q^T k_j / root, the gradients of s_ij in x_j and in x_i. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_weights_readable(head) && head_state_readable(head);
    requires out: \valid(g + (0 .. row(head->n, head->dim) - 1)) && \valid(h + (0 .. row(head->n, head->dim) - 1));
    requires outside: head_outside(head, g, row(head->n, head->dim)) && head_outside(head, h, row(head->n, head->dim));
    requires separated: \separated(g + (0 .. row(head->n, head->dim) - 1), h + (0 .. row(head->n, head->dim) - 1));
    terminates \true;
    assigns g[0 .. row(head->n, head->dim) - 1], h[0 .. row(head->n, head->dim) - 1];
    ensures key_side: \forall integer i, c; 0 <= i < head->n ==> 0 <= c < head->dim ==>
      g[row(i, head->dim) + c] == score_gradient{Pre}(
        head->key_weight, head->query + row(i, head->head_dim), head->root, head->head_dim, head->dim, c);
    ensures query_side: \forall integer i, c; 0 <= i < head->n ==> 0 <= c < head->dim ==>
      h[row(i, head->dim) + c] == score_gradient{Pre}(
        head->query_weight, head->key + row(i, head->head_dim), head->root, head->head_dim, head->dim, c); */
void attention_head_gradients(double *g, double *h, const attention_head *head);

/* Block (i, l) of the head's Jacobian, head_dim x dim, from g and h of attention_head_gradients; 0 where l is not in
 * N(i). */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_weights_readable(head) && head_state_readable(head);
    requires position: 0 <= i < head->n && 0 <= l < head->n;
    requires gradients: \valid_read(g + (0 .. row(head->n, head->dim) - 1)) &&
                        \valid_read(h + (0 .. row(head->n, head->dim) - 1));
    requires out: \valid(block + (0 .. row(head->head_dim, head->dim) - 1));
    requires outside: head_outside(head, block, row(head->head_dim, head->dim));
    requires separated: \separated(block + (0 .. row(head->head_dim, head->dim) - 1),
                                   g + (0 .. row(head->n, head->dim) - 1)) &&
                        \separated(block + (0 .. row(head->head_dim, head->dim) - 1),
                                   h + (0 .. row(head->n, head->dim) - 1));
    terminates \true;
    assigns block[0 .. row(head->head_dim, head->dim) - 1];
    ensures masked: attended_keys(head->mask, i, head->n) <= l ==>
      \forall integer e; 0 <= e < row(head->head_dim, head->dim) ==> vanishes(block[e]);
    ensures off_diagonal: l < attended_keys(head->mask, i, head->n) ==> l != i ==>
      \forall integer r, c; 0 <= r < head->head_dim ==> 0 <= c < head->dim ==> block[row(r, head->dim) + c] ==
        jacobian_entry{Pre}(head->value_weight, head->value + row(l, head->head_dim),
                            head->output + row(i, head->head_dim), g + row(i, head->dim),
                            head->weights[row(i, head->n) + l], head->dim, r, c);
    ensures diagonal: l == i ==>
      \forall integer r, c; 0 <= r < head->head_dim ==> 0 <= c < head->dim ==> block[row(r, head->dim) + c] ==
        jacobian_entry{Pre}(head->value_weight, head->value + row(i, head->head_dim),
                            head->output + row(i, head->head_dim), g + row(i, head->dim),
                            head->weights[row(i, head->n) + i], head->dim, r, c) +
        covariance{Pre}(head->weights + row(i, head->n), head->value, head->output + row(i, head->head_dim), h,
                        head->head_dim, head->dim, r, c, attended_keys(head->mask, i, head->n)); */
void attention_head_jacobian_block(double *block, const attention_head *head, const double *g, const double *h, int i,
                                   int l);

/* Doubles of scratch that attention_head_jvp and attention_head_vjp_add need. */
/*@ requires valid: \valid_read(head) && head_sides(head);
    terminates \true;
    assigns \nothing;
    ensures result: \result == 3 * row(head->n, head->head_dim) + head->n; */
size_t attention_head_product_scratch(const attention_head *head);

/* dy (n x head_dim) = J dx, dx is n x dim. The scratch then holds dq = Q dx, dk = K dx, dv = V dx (n x head_dim each),
 * of which dy is the formula of head_jvp.acsl. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_weights_readable(head) && head_state_readable(head);
    requires input: \valid_read(dx + (0 .. row(head->n, head->dim) - 1));
    requires out: \valid(dy + (0 .. row(head->n, head->head_dim) - 1));
    requires room: \valid(scratch + (0 .. 3 * row(head->n, head->head_dim) + head->n - 1));
    requires outside: head_outside(head, dy, row(head->n, head->head_dim)) &&
                      head_outside(head, scratch, 3 * row(head->n, head->head_dim) + head->n);
    requires separated: \separated(dy + (0 .. row(head->n, head->head_dim) - 1),
                                   dx + (0 .. row(head->n, head->dim) - 1)) &&
                        \separated(dy + (0 .. row(head->n, head->head_dim) - 1),
                                   scratch + (0 .. 3 * row(head->n, head->head_dim) + head->n - 1)) &&
                        \separated(scratch + (0 .. 3 * row(head->n, head->head_dim) + head->n - 1),
                                   dx + (0 .. row(head->n, head->dim) - 1));
    terminates \true;
    assigns dy[0 .. row(head->n, head->head_dim) - 1], scratch[0 .. 3 * row(head->n, head->head_dim) + head->n - 1];
    ensures dq: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      scratch[row(i, head->head_dim) + r] == mat_vec{Pre}(head->query_weight, dx + row(i, head->dim), head->dim, r);
    ensures dk: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      scratch[row(head->n, head->head_dim) + row(i, head->head_dim) + r] ==
      mat_vec{Pre}(head->key_weight, dx + row(i, head->dim), head->dim, r);
    ensures dv: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      scratch[2 * row(head->n, head->head_dim) + row(i, head->head_dim) + r] ==
      mat_vec{Pre}(head->value_weight, dx + row(i, head->dim), head->dim, r);
    ensures formula: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      dy[row(i, head->head_dim) + r] == jvp_head_entry(
        head->weights + row(i, head->n), head->value, head->output + row(i, head->head_dim),
        scratch + 2 * row(head->n, head->head_dim), head->query + row(i, head->head_dim),
        scratch + row(i, head->head_dim), head->key, scratch + row(head->n, head->head_dim), head->root,
          head->head_dim, r,
        attended_keys(head->mask, i, head->n)); */
void attention_head_jvp(double *dy, const attention_head *head, const double *dx, double *scratch);

#ifdef __FRAMAC__
#include "head/head_vjp.acsl"
#endif

/* dx (n x dim) += J^T c, c is n x head_dim, in the formula of spec/head/head_vjp.acsl. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_weights_readable(head) && head_state_readable(head);
    requires input: \valid_read(c + (0 .. row(head->n, head->head_dim) - 1));
    requires out: \valid(dx + (0 .. row(head->n, head->dim) - 1));
    requires room: \valid(scratch + (0 .. 3 * row(head->n, head->head_dim) + head->n - 1));
    requires outside: head_outside(head, dx, row(head->n, head->dim)) &&
                      head_outside(head, scratch, 3 * row(head->n, head->head_dim) + head->n);
    requires separated: \separated(scratch + (0 .. 3 * row(head->n, head->head_dim) + head->n - 1),
                                   c + (0 .. row(head->n, head->head_dim) - 1)) &&
                        \separated(dx + (0 .. row(head->n, head->dim) - 1),
                                   scratch + (0 .. 3 * row(head->n, head->head_dim) + head->n - 1));
    terminates \true;
    assigns dx[0 .. row(head->n, head->dim) - 1], scratch[0 .. 3 * row(head->n, head->head_dim) + head->n - 1];
    ensures result: \forall integer l, j; 0 <= l < head->n ==> 0 <= j < head->dim ==>
      dx[row(l, head->dim) + j] == \at(dx[row(l, head->dim) + j], Pre) + head_vjp_entry{Pre}(head, c, l, j); */
void attention_head_vjp_add(double *dx, const attention_head *head, const double *c, double *scratch);

#endif
