/* One head of a layer evaluated at X. */
#ifndef ATTCERT_KERNEL_LAYER_ATTENTION_LAYER_HEAD_H
#define ATTCERT_KERNEL_LAYER_ATTENTION_LAYER_HEAD_H

#include "kernel/head/attention_head.h"

#ifdef __FRAMAC__
#include "layer/layer_forward_lemmas.acsl"
#endif

/* Fills storage (attention_head_size doubles), laid out as attention_head_view says, with q, k, v, P and y of head h at
 * x (n x dim). */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 1 <= n && 0 <= h < layer->heads;
    requires weights: heads_readable(layer);
    requires input: \valid_read(x + (0 .. row(n, layer->dim) - 1));
    requires storage: \valid(storage + (0 .. head_size(layer, n) - 1));
    requires outside: heads_outside(layer, storage, head_size(layer, n));
    requires input_outside: \separated(storage + (0 .. head_size(layer, n) - 1), x + (0 .. row(n, layer->dim) - 1));
    terminates \true;
    assigns storage[0 .. head_size(layer, n) - 1];
    ensures evaluated: \forall attention_head v; is_view(v, layer, h, n, storage) ==>
                       head_evaluated{Pre, Post}(layer, x, n, h, v); */
void attention_layer_head(double *storage, const attcert_layer *layer, int h, const double *x, int n);

#endif
