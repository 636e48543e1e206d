/* What the rows of an explicit Jacobian are made from, of every head and token: score gradients, W_h v_i, W_h y_i and
 * W_h V_h. */
#ifndef ATTCERT_EXPLICIT_JACOBIAN_TOKENS_H
#define ATTCERT_EXPLICIT_JACOBIAN_TOKENS_H

#include "certify/explicit/explicit_jacobian_memory.h"

/*@ predicate builder_prepared{L0, L1}(jacobian_builder *b, integer tokens, integer heads) =
      \forall real_layer f, integer h; builder_models{L0}(b, f) ==> 0 <= h < \at(b->e->heads, L0) ==>
      (h < heads ==> head_maps_in{L1}(b, f, h)) &&
      (\forall integer i; 0 <= i < \at(b->e->n, L0) ==> token_index{L0}(\at(b->e, L0), h, i) < tokens ==>
        token_maps_in{L1}(b, f, h, i)); */

/* Of token `index` of all heads' tokens. */
/*@ requires given: builder_given(b) && builder_arrays(b);
    requires blocks: builder_blocks(b) && builder_distinct(b);
    requires index: 0 <= index < all_tokens(b->e);
    terminates \true;
    assigns b->g[0 .. gradients_size(b) - 1], b->h[0 .. gradients_size(b) - 1], b->channel[0 .. outputs_size(b) - 1],
      b->mean[0 .. outputs_size(b) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures prepared: \forall real_layer f, integer h, i; builder_models{Pre}(b, f) ==> 0 <= h < b->e->heads ==>
      0 <= i < b->e->n ==> token_index(b->e, h, i) == index ==> token_maps_in(b, f, h, i);
    ensures earlier: \forall real_layer f, integer h, i; 0 <= h < b->e->heads ==>
      0 <= i < b->e->n ==> token_index(b->e, h, i) < index ==> token_maps_in{Pre}(b, f, h, i) ==>
      token_maps_in(b, f, h, i); */
void explicit_jacobian_token(jacobian_builder *b, int index);

/* Of head `head`; b->failed where there is no memory. */
/*@ requires given: builder_given(b) && builder_arrays(b) && \valid(&b->failed);
    requires blocks: builder_blocks(b) && builder_distinct(b);
    requires head: 0 <= head < b->e->heads;
    terminates \true;
    assigns b->value[0 .. maps_size(b) - 1], b->failed, mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures failed: \old(b->failed) != 0 ==> b->failed != 0;
    ensures maps: b->failed == 0 ==> \forall real_layer f; builder_models{Pre}(b, f) ==> head_maps_in(b, f, head);
    ensures earlier: \forall real_layer f, integer h; 0 <= h < head ==> head_maps_in{Pre}(b, f, h) ==>
      head_maps_in(b, f, h); */
void explicit_jacobian_head(jacobian_builder *b, int head);

#endif
