/* What the rows of an explicit Jacobian are made from, of every head and token: score gradients, W_h v_i and
 * W_h y_i. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_TOKENS_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_TOKENS_H

#include "certify/explicit/explicit_jacobian_builder.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_kept.acsl"
#endif

/* Of token `index` of all heads' tokens. */
/*@ requires ready: builder_ready(b);
    requires index: 0 <= index < all_tokens(b->e);
    terminates \true;
    assigns b->g[0 .. gradients_size(b) - 1], b->h[0 .. gradients_size(b) - 1], b->channel[0 .. outputs_size(b) - 1],
      b->mean[0 .. outputs_size(b) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures kept: builder_kept{Pre, Post}(b);
    ensures ready: builder_ready(b);
    ensures earlier: tokens_kept{Pre, Post}(b, index);
    ensures prepared: \forall real_layer f, integer h, i; builder_models{Pre}(b, f) ==> 0 <= h < b->e->heads ==>
      0 <= i < b->e->n ==> token_index(b->e, h, i) == index ==> token_maps_in(b, f, h, i); */
void explicit_jacobian_token(jacobian_builder *b, int index);

#endif
