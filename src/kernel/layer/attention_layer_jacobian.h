/* The Jacobian of a layer from the arrays that its forward pass keeps: block h of storage is that of head h, as in
 * attention_layer_heads. */
#ifndef ATTCERT_KERNEL_LAYER_ATTENTION_LAYER_JACOBIAN_H
#define ATTCERT_KERNEL_LAYER_ATTENTION_LAYER_JACOBIAN_H

#include "kernel/layer/attention_layer_head.h"

#ifdef __FRAMAC__
#include "layer/jacobian_blocks.acsl"
#include "layer/layer_jacobian.acsl"
#include "layer/place_output_block.acsl"
#endif

/* What the Jacobian reads is readable, and outside a block of doubles. */
/*@ predicate sources_readable{L}(attcert_layer *layer, integer n, double *storage) =
      \valid_read(layer) && layer_sides(layer) && side(n) && 1 <= n && heads_readable(layer) &&
      \valid_read(storage + (0 .. row(layer->heads, head_size(layer, n)) - 1)) &&
      (layer->output_weight == \null ||
        \valid_read(layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1)));
    predicate sources_outside{L}(attcert_layer *layer, integer n, double *storage, double *block, integer size) =
      heads_outside(layer, block, size) &&
      \separated(block + (0 .. size - 1), storage + (0 .. row(layer->heads, head_size(layer, n)) - 1)) &&
      (layer->output_weight == \null ||
       \separated(block + (0 .. size - 1), layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1))); */

/* The rows g_i (n x d) and h_j (n x d, to hs) of head h, whose arrays begin at storage. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 1 <= n && 0 <= h < layer->heads;
    requires weights: heads_readable(layer);
    requires storage: \valid_read(storage + (0 .. head_size(layer, n) - 1));
    requires room: \valid(g + (0 .. row(n, layer->dim) - 1)) && \valid(hs + (0 .. row(n, layer->dim) - 1));
    requires outside: heads_outside(layer, g, row(n, layer->dim)) && heads_outside(layer, hs, row(n, layer->dim));
    requires storage_outside: \separated(g + (0 .. row(n, layer->dim) - 1), storage + (0 .. head_size(layer, n) - 1)) &&
                              \separated(hs + (0 .. row(n, layer->dim) - 1), storage + (0 .. head_size(layer, n) - 1));
    requires separated: \separated(g + (0 .. row(n, layer->dim) - 1), hs + (0 .. row(n, layer->dim) - 1));
    terminates \true;
    assigns g[0 .. row(n, layer->dim) - 1], hs[0 .. row(n, layer->dim) - 1];
    ensures gradients: gradients_held{Pre, Post}(g, hs, layer, n, storage, h); */
void attention_layer_head_gradients(double *g, double *hs, const attcert_layer *layer, double *storage, int n, int h);

/*@ // what the block of head h is read from, its arrays and its rows g_i and h_j, and its room, apart from these
    predicate head_block_apart{L}(attcert_layer *layer, integer n, double *storage, double *gradients, double *block) =
      \valid_read(storage + (0 .. head_size(layer, n) - 1)) &&
      \valid_read(gradients + (0 .. 2 * row(n, layer->dim) - 1)) &&
      \valid(block + (0 .. row(layer->head_dim, layer->dim) - 1)) &&
      heads_outside(layer, block, row(layer->head_dim, layer->dim)) &&
      \separated(block + (0 .. row(layer->head_dim, layer->dim) - 1), storage + (0 .. head_size(layer, n) - 1)) &&
      \separated(block + (0 .. row(layer->head_dim, layer->dim) - 1), gradients + (0 .. 2 * row(n, layer->dim) - 1)); */

/* Block (i, l) of head h, whose arrays begin at storage and whose rows, the g_i and then the h_j (n x d each), begin at
 * gradients. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 1 <= n && 0 <= h < layer->heads;
    requires position: 0 <= i < n && 0 <= l < n;
    requires weights: heads_readable(layer);
    requires apart: head_block_apart(layer, n, storage, gradients, block);
    requires gradients: gradients_held{Pre, Pre}(gradients, gradients + row(n, layer->dim), layer, n, storage, h);
    terminates \true;
    assigns block[0 .. row(layer->head_dim, layer->dim) - 1];
    ensures block: \forall integer r, c; 0 <= r < layer->head_dim ==> 0 <= c < layer->dim ==>
      block[row(r, layer->dim) + c] == layer_block_entry{Pre}(layer, n, storage, h, i, l, r, c); */
void attention_layer_head_block(double *block, const double *gradients, const attcert_layer *layer, double *storage,
                                int n, int h, int i, int l);

/* The rows g_i, then h_j, of every head (n x d each), those of head h in block h of gradients. */
/*@ requires sources: sources_readable(layer, n, storage);
    requires room: \valid(gradients + (0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1));
    requires outside: sources_outside(layer, n, storage, gradients, row(layer->heads, 2 * row(n, layer->dim)));
    terminates \true;
    assigns gradients[0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1];
    ensures gradients: \forall integer h; 0 <= h < layer->heads ==>
      gradients_held{Pre, Post}(gradients + row(h, 2 * row(n, layer->dim)),
                                gradients + row(h, 2 * row(n, layer->dim)) + row(n, layer->dim), layer, n,
                                storage + row(h, head_size(layer, n)), h); */
void attention_layer_gradients(double *gradients, const attcert_layer *layer, double *storage, int n);

/* stack (H k x d) = the blocks (i, l) of all heads, one below the other, from the rows of attention_layer_gradients. */
/*@ requires sources: sources_readable(layer, n, storage);
    requires position: 0 <= i < n && 0 <= l < n;
    requires readable: \valid_read(gradients + (0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1));
    requires room: \valid(stack + (0 .. row(width(layer), layer->dim) - 1));
    requires outside: sources_outside(layer, n, storage, stack, row(width(layer), layer->dim));
    requires separated: \separated(stack + (0 .. row(width(layer), layer->dim) - 1),
                                   gradients + (0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1));
    requires gradients: \forall integer h; 0 <= h < layer->heads ==>
      gradients_held{Pre, Pre}(gradients + row(h, 2 * row(n, layer->dim)),
                                gradients + row(h, 2 * row(n, layer->dim)) + row(n, layer->dim), layer, n,
                               storage + row(h, head_size(layer, n)), h);
    terminates \true;
    assigns stack[0 .. row(width(layer), layer->dim) - 1];
    ensures blocks: stack_holds{Pre, Post}(stack, layer, n, storage, i, l, layer->heads); */
void attention_layer_block(double *stack, const double *gradients, const attcert_layer *layer, double *storage, int n,
                           int i, int l);

/* Columns l d .. l d + d - 1 of rows (out_dim x n d) = W_O times the stacked blocks; the stack itself without W_O. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 0 <= l < n;
    requires room: \valid(rows + (0 .. row(layer->out_dim, row(n, layer->dim)) - 1));
    requires readable: \valid_read(stack + (0 .. row(width(layer), layer->dim) - 1));
    requires weight: layer->output_weight == \null ||
                     \valid_read(layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1));
    requires separated: \separated(rows + (0 .. row(layer->out_dim, row(n, layer->dim)) - 1),
                                   stack + (0 .. row(width(layer), layer->dim) - 1));
    requires weight_outside: layer->output_weight == \null ||
      \separated(rows + (0 .. row(layer->out_dim, row(n, layer->dim)) - 1),
                 layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1));
    terminates \true;
    assigns rows[0 .. row(layer->out_dim, row(n, layer->dim)) - 1];
    ensures placed: rows_placed{Pre, Post}(rows, row(n, layer->dim), row(l, layer->dim), layer, stack, layer->out_dim);
    ensures before: before_same{Pre, Post}(rows, row(n, layer->dim), row(l, layer->dim), layer->out_dim);
    ensures after: after_same{Pre, Post}(rows, row(n, layer->dim), row(l, layer->dim) + layer->dim, layer->out_dim); */
void attention_layer_place_block(double *rows, const double *stack, const attcert_layer *layer, int n, int l);

/* The blocks (i, 1) ... (i, n) of the Jacobian, side by side (out_dim x n d). The stack is scratch (H k x d). */
/*@ requires sources: sources_readable(layer, n, storage) && 0 <= i < n;
    requires room: \valid(rows + (0 .. row(layer->out_dim, row(n, layer->dim)) - 1)) &&
                   \valid(stack + (0 .. row(width(layer), layer->dim) - 1));
    requires readable: \valid_read(gradients + (0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1));
    requires outside: sources_outside(layer, n, storage, rows, row(layer->out_dim, row(n, layer->dim))) &&
                      sources_outside(layer, n, storage, stack, row(width(layer), layer->dim));
    requires separated: \separated(rows + (0 .. row(layer->out_dim, row(n, layer->dim)) - 1),
                                   stack + (0 .. row(width(layer), layer->dim) - 1)) &&
                        \separated(rows + (0 .. row(layer->out_dim, row(n, layer->dim)) - 1),
                                   gradients + (0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1)) &&
                        \separated(stack + (0 .. row(width(layer), layer->dim) - 1),
                                   gradients + (0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1));
    requires gradients: \forall integer h; 0 <= h < layer->heads ==>
      gradients_held{Pre, Pre}(gradients + row(h, 2 * row(n, layer->dim)),
                               gradients + row(h, 2 * row(n, layer->dim)) + row(n, layer->dim), layer, n,
                               storage + row(h, head_size(layer, n)), h);
    terminates \true;
    assigns rows[0 .. row(layer->out_dim, row(n, layer->dim)) - 1], stack[0 .. row(width(layer), layer->dim) - 1];
    ensures blocks: jacobian_blocks_held{Pre, Post}(rows, row(n, layer->dim), layer, n, storage, i, n); */
void attention_layer_block_row(double *rows, double *stack, const double *gradients, const attcert_layer *layer,
                               double *storage, int n, int i);

#ifdef __FRAMAC__
#include "layer/jacobian_rows.acsl"
#endif

/* The whole Jacobian, (n out_dim) x (n d). The gradients are room for the rows g_i and h_j of every head, the stack is
 * scratch (H k x d). */
/*@ requires sources: sources_readable(layer, n, storage);
    requires room: \valid(jacobian + (0 .. row(row(n, layer->out_dim), row(n, layer->dim)) - 1)) &&
                   \valid(stack + (0 .. row(width(layer), layer->dim) - 1)) &&
                   \valid(gradients + (0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1));
    requires outside: sources_outside(layer, n, storage, jacobian, row(row(n, layer->out_dim), row(n, layer->dim))) &&
                      sources_outside(layer, n, storage, stack, row(width(layer), layer->dim)) &&
                      sources_outside(layer, n, storage, gradients, row(layer->heads, 2 * row(n, layer->dim)));
    requires stack_outside: \separated(jacobian + (0 .. row(row(n, layer->out_dim), row(n, layer->dim)) - 1),
                                       stack + (0 .. row(width(layer), layer->dim) - 1));
    requires gradients_outside: \separated(jacobian + (0 .. row(row(n, layer->out_dim), row(n, layer->dim)) - 1),
                                           gradients + (0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1)) &&
                                \separated(stack + (0 .. row(width(layer), layer->dim) - 1),
                                           gradients + (0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1));
    terminates \true;
    assigns jacobian[0 .. row(row(n, layer->out_dim), row(n, layer->dim)) - 1],
            gradients[0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1],
            stack[0 .. row(width(layer), layer->dim) - 1];
    ensures held: jacobian_rows_held{Pre, Post}(jacobian, row(n, layer->dim), layer, n, storage, n); */
void attention_layer_jacobian(double *jacobian, double *gradients, double *stack, const attcert_layer *layer,
                              double *storage, int n);

#endif
