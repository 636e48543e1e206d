/* Self-attention in plain double, the reference implementation: the map of attcert_layer,
 *
 *   f(X)_i = W_O [y_i^1; ...; y_i^H] + b_O,  y_i^h = sum_j P_ij^h v_j^h,
 *   P_i^h = softmax_{j in N(i)}(q_i^h . k_j^h / sqrt(k)),
 *
 * with N(i) = {0 .. n-1}, or {0 .. i} under the causal mask, and its Jacobian J = (I_n (x) W_O) [J^1; ...; J^H].
 * Nothing here allocates: the caller brings the storage and the scratch. Every operation rounds once to nearest;
 * nothing is certified here, the interval layer is. Arrays handed to one call do not overlap. */
#ifndef ATTCERT_KERNEL_LAYER_ATTENTION_H
#define ATTCERT_KERNEL_LAYER_ATTENTION_H

#include "attcert.h"
#include "kernel/head/attention_head.h"
#include "kernel/layer/attention_layer_head.h"

#ifdef __FRAMAC__
#include "layer/layer_output.acsl"
#endif

/* Doubles of scratch that attention_forward needs for n tokens. */
/*@ requires valid: \valid_read(layer) && layer_sides(layer) && side(n);
    terminates \true;
    assigns \nothing;
    ensures result: \result == head_size(layer, n) + row(n, width(layer)); */
size_t attention_forward_scratch(const attcert_layer *layer, int n);

/* out (n x out_dim) = f(x), x is n x dim. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 1 <= n;
    requires weights: heads_readable(layer) && output_readable(layer);
    requires input: \valid_read(x + (0 .. row(n, layer->dim) - 1));
    requires out: \valid(out + (0 .. row(n, layer->out_dim) - 1));
    requires room: \valid(scratch + (0 .. head_size(layer, n) + row(n, width(layer)) - 1));
    requires outside: heads_outside(layer, scratch, head_size(layer, n) + row(n, width(layer))) &&
                      output_outside(layer, scratch, head_size(layer, n) + row(n, width(layer)));
    requires out_outside: output_outside(layer, out, row(n, layer->out_dim));
    requires input_outside: \separated(scratch + (0 .. head_size(layer, n) + row(n, width(layer)) - 1),
                                       x + (0 .. row(n, layer->dim) - 1));
    requires separated: \separated(out + (0 .. row(n, layer->out_dim) - 1),
                                   scratch + (0 .. head_size(layer, n) + row(n, width(layer)) - 1));
    terminates \true;
    assigns out[0 .. row(n, layer->out_dim) - 1], scratch[0 .. head_size(layer, n) + row(n, width(layer)) - 1];
    ensures output: \forall integer i, o; 0 <= i < n ==> 0 <= o < layer->out_dim ==>
      is_layer_output{Pre}(out[row(i, layer->out_dim) + o], layer, x, n, i, o); */
void attention_forward(double *out, const attcert_layer *layer, const double *x, int n, double *scratch);

/* The forward pass of all heads at one X, kept for the Jacobian. */
typedef struct {
  const attcert_layer *layer;
  int n;
  double *storage; /* attention_state_size doubles */
} attention_state;

/*@ predicate state_sides{L}(attention_state *state) =
      \valid_read(state) && \valid_read(state->layer) && layer_sides(state->layer) && side(state->n); */

/*@ requires valid: \valid_read(layer) && layer_sides(layer) && side(n);
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(layer->heads, head_size(layer, n)); */
size_t attention_state_size(const attcert_layer *layer, int n);

/* Evaluates the layer at x (n x dim); layer and storage must outlive the state. */
/*@ requires sides: \valid(state) && \valid_read(layer) && layer_sides(layer) && side(n) && 1 <= n;
    requires weights: heads_readable(layer);
    requires input: \valid_read(x + (0 .. row(n, layer->dim) - 1));
    requires storage: \valid(storage + (0 .. row(layer->heads, head_size(layer, n)) - 1));
    requires outside: heads_outside(layer, storage, row(layer->heads, head_size(layer, n)));
    requires input_outside: \separated(storage + (0 .. row(layer->heads, head_size(layer, n)) - 1),
                                       x + (0 .. row(n, layer->dim) - 1));
    requires state_outside: \separated(state, layer);
    terminates \true;
    assigns *state, storage[0 .. row(layer->heads, head_size(layer, n)) - 1];
    ensures state: state->layer == layer && state->n == n && state->storage == storage;
    ensures evaluated: \forall attention_head v, integer h; 0 <= h < layer->heads ==>
      is_view(v, layer, h, n, storage + row(h, head_size(layer, n))) ==>
        head_evaluated{Pre, Post}(layer, x, n, h, v); */
void attention_state_init(attention_state *state, const attcert_layer *layer, const double *x, int n, double *storage);

/* The view of head h. */
/*@ requires valid: state_sides(state) && 0 <= h < state->layer->heads;
    terminates \true;
    assigns \result \from *state, *state->layer, h;
    ensures result: is_view(\result, state->layer, h, state->n,
                            state->storage + row(h, head_size(state->layer, state->n))); */
attention_head attention_state_head(const attention_state *state, int h);

/* The heads' weights, the storage of their arrays, W_O, and both structures are outside a block of doubles. */
/*@ predicate state_outside{L}(attention_state *state, double *block, integer size) =
      heads_outside(state->layer, block, size) && \separated(block + (0 .. size - 1), state) &&
      \separated(block + (0 .. size - 1), state->layer) &&
      \separated(block + (0 .. size - 1),
                 state->storage + (0 .. row(state->layer->heads, head_size(state->layer, state->n)) - 1)) &&
      (state->layer->output_weight == \null ||
       \separated(block + (0 .. size - 1),
                  state->layer->output_weight + (0 .. row(state->layer->out_dim, width(state->layer)) - 1)));

    // what an evaluated state holds and refers to is readable
    predicate state_readable{L}(attention_state *state) =
      heads_readable(state->layer) &&
      \valid_read(state->storage + (0 .. row(state->layer->heads, head_size(state->layer, state->n)) - 1)) &&
      (state->layer->output_weight == \null ||
       \valid_read(state->layer->output_weight + (0 .. row(state->layer->out_dim, width(state->layer)) - 1)));

    // entries of the scratch of a product
    logic integer product_room{L}(attention_state *state) =
      row(state->n, width(state->layer)) + 4 * row(state->n, state->layer->head_dim) + state->n; */

#ifdef __FRAMAC__
#include "layer/jacobian_rows.acsl"
#include "layer/layer_jvp.acsl"
#endif

/* Doubles of scratch that attention_jacobian needs. */
/*@ logic integer jacobian_room{L}(attention_state *state) =
      row(state->layer->heads, 2 * row(state->n, state->layer->dim)) + row(width(state->layer), state->layer->dim);
    logic integer jacobian_size{L}(attention_state *state) =
      row(row(state->n, state->layer->out_dim), row(state->n, state->layer->dim)); */
/*@ requires valid: state_sides(state);
    terminates \true;
    assigns \nothing;
    ensures result: \result == jacobian_room(state); */
size_t attention_jacobian_scratch(const attention_state *state);

/* The explicit Jacobian at X, (n out_dim) x (n dim): entry (i out_dim + o, l dim + c) is d f(X)_io / d x_lc. */
/*@ requires valid: state_sides(state) && 1 <= state->n && state_readable(state);
    requires out: \valid(jacobian + (0 .. jacobian_size(state) - 1));
    requires room: \valid(scratch + (0 .. jacobian_room(state) - 1));
    requires outside: state_outside(state, jacobian, jacobian_size(state)) &&
                      state_outside(state, scratch, jacobian_room(state));
    requires separated: \separated(jacobian + (0 .. jacobian_size(state) - 1),
      scratch + (0 .. jacobian_room(state) - 1));
    terminates \true;
    assigns jacobian[0 .. jacobian_size(state) - 1], scratch[0 .. jacobian_room(state) - 1];
    ensures result: jacobian_rows_held{Pre, Post}(jacobian, row(state->n, state->layer->dim), state->layer, state->n,
                                                  state->storage, state->n); */
void attention_jacobian(double *jacobian, const attention_state *state, double *scratch);

/* Doubles of scratch that attention_jvp and attention_vjp need. */
/*@ requires valid: state_sides(state) && 1 <= state->n;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(state->n, width(state->layer)) + 4 * row(state->n, state->layer->head_dim) +
      state->n; */
size_t attention_product_scratch(const attention_state *state);

/* The scratch of a product can be written: room for the rows of all heads, and behind it what serves one head after the
 * other. */
/*@ predicate product_scratch{L}(attention_state *state, double *scratch) =
      \valid(scratch + (0 .. product_room(state) - 1)) &&
      state_outside(state, scratch, row(state->n, width(state->layer))) &&
      state_outside(state, scratch + row(state->n, width(state->layer)),
                    4 * row(state->n, state->layer->head_dim) + state->n); */

/* dy (n x out_dim) = J dx, dx is n x dim. */
/*@ requires valid: state_sides(state) && 1 <= state->n && state_readable(state);
    requires input: \valid_read(dx + (0 .. row(state->n, state->layer->dim) - 1));
    requires out: \valid(dy + (0 .. row(state->n, state->layer->out_dim) - 1));
    requires room: product_scratch(state, scratch);
    requires outside: state_outside(state, dy, row(state->n, state->layer->out_dim));
    requires separated: \separated(scratch + (0 .. product_room(state) - 1),
                                   dx + (0 .. row(state->n, state->layer->dim) - 1)) &&
                        \separated(dy + (0 .. row(state->n, state->layer->out_dim) - 1),
                                   scratch + (0 .. product_room(state) - 1));
    terminates \true;
    assigns dy[0 .. row(state->n, state->layer->out_dim) - 1], scratch[0 .. product_room(state) - 1];
    ensures result: \forall integer i, o; 0 <= i < state->n ==> 0 <= o < state->layer->out_dim ==>
      is_layer_jvp{Pre}(dy[row(i, state->layer->out_dim) + o], state->layer, state->n, state->storage, dx, i, o); */
void attention_jvp(double *dy, const attention_state *state, const double *dx, double *scratch);

#ifdef __FRAMAC__
#include "layer/layer_vjp.acsl"
#endif

/* dx (n x dim) = J^T c, c is n x out_dim. */
/*@ requires valid: state_sides(state) && 1 <= state->n && state_readable(state);
    requires input: \valid_read(c + (0 .. row(state->n, state->layer->out_dim) - 1));
    requires out: \valid(dx + (0 .. row(state->n, state->layer->dim) - 1));
    requires room: product_scratch(state, scratch);
    requires outside: state_outside(state, dx, row(state->n, state->layer->dim));
    requires separated: \separated(scratch + (0 .. product_room(state) - 1),
                                   c + (0 .. row(state->n, state->layer->out_dim) - 1)) &&
                        \separated(dx + (0 .. row(state->n, state->layer->dim) - 1),
                                   scratch + (0 .. product_room(state) - 1));
    terminates \true;
    assigns dx[0 .. row(state->n, state->layer->dim) - 1], scratch[0 .. product_room(state) - 1];
    ensures result: \forall integer l, j; 0 <= l < state->n ==> 0 <= j < state->layer->dim ==>
      dx[row(l, state->layer->dim) + j] ==
      layer_vjp{Pre}(state->layer, state->n, state->storage, c, l, j, state->layer->heads); */
void attention_vjp(double *dx, const attention_state *state, const double *c, double *scratch);

#endif
