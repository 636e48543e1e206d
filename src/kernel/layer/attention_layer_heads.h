/* All heads of a layer evaluated at X. */
#ifndef ATTCERT_KERNEL_LAYER_ATTENTION_LAYER_HEADS_H
#define ATTCERT_KERNEL_LAYER_ATTENTION_LAYER_HEADS_H

#include "kernel/layer/attention_layer_head.h"

/* The forward pass of every head, head h in block h of storage. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 1 <= n;
    requires weights: heads_readable(layer);
    requires input: \valid_read(x + (0 .. row(n, layer->dim) - 1));
    requires storage: \valid(storage + (0 .. row(layer->heads, head_size(layer, n)) - 1));
    requires outside: heads_outside(layer, storage, row(layer->heads, head_size(layer, n)));
    requires input_outside: \separated(storage + (0 .. row(layer->heads, head_size(layer, n)) - 1),
                                       x + (0 .. row(n, layer->dim) - 1));
    terminates \true;
    assigns storage[0 .. row(layer->heads, head_size(layer, n)) - 1];
    ensures evaluated: \forall attention_head v, integer h; 0 <= h < layer->heads ==>
      is_view(v, layer, h, n, storage + row(h, head_size(layer, n))) ==>
        head_evaluated{Pre, Post}(layer, x, n, h, v); */
void attention_layer_heads(double *storage, const attcert_layer *layer, const double *x, int n);

#endif
