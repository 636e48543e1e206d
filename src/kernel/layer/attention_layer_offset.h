/* Where what belongs to one head begins, in arrays that hold it for all heads, one head after the other. As size_t: an
 * int is too small. */
#ifndef ATTCERT_KERNEL_LAYER_ATTENTION_LAYER_OFFSET_H
#define ATTCERT_KERNEL_LAYER_ATTENTION_LAYER_OFFSET_H

#include "kernel/head/attention_head.h"
#include "kernel/linear/block.h"
#include "kernel/linear/index.h"

#ifdef __FRAMAC__
#include "layer/head_size_lemmas.acsl"
#endif

/* The arrays q, k, v, y, P of head h on n tokens. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 0 <= h < layer->heads;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(h, head_size(layer, n));
    ensures inside: 0 <= \result && \result + head_size(layer, n) <= row(layer->heads, head_size(layer, n)); */
static inline size_t attention_layer_storage_offset(const attcert_layer *layer, int n, int h) {
  return block_offset((size_t)h, attention_head_size(layer, n), (size_t)layer->heads);
}

/* The rows g_i, then h_j, of head h (n x d each). */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 0 <= h < layer->heads;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(h, 2 * row(n, layer->dim));
    ensures inside: 0 <= \result && \result + 2 * row(n, layer->dim) <= row(layer->heads, 2 * row(n, layer->dim)); */
static inline size_t attention_layer_gradients_offset(const attcert_layer *layer, int n, int h) {
  const int rows = row_offset(n, layer->dim, n);
  return block_offset((size_t)h, 2 * (size_t)rows, (size_t)layer->heads);
}

#endif
