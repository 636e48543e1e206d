/* What the rows of an explicit Jacobian are made from: every token (explicit_jacobian_tokens.h), then every head
 * (explicit_jacobian_heads.h). */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_MAPS_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_MAPS_H

#include "certify/explicit/explicit_jacobian_scratch.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_kept.acsl"
#endif

/* b->failed where there is no memory for a head. */
/*@ requires ready: builder_ready(b) && \valid(&b->failed);
    terminates \true;
    assigns b->g[0 .. gradients_size(b) - 1], b->h[0 .. gradients_size(b) - 1], b->channel[0 .. outputs_size(b) - 1],
      b->mean[0 .. outputs_size(b) - 1], b->value[0 .. maps_size(b) - 1], b->failed,
      column_place[0 .. b->e->head_dim + b->height - 1], mpfr_lives;
    ensures lives: lives_elsewhere{Pre, Post}(\base_addr(column_place));
    ensures kept: builder_kept{Pre, Post}(b);
    ensures ready: builder_ready(b);
    ensures failed: \old(b->failed) != 0 ==> b->failed != 0;
    ensures models: b->failed == 0 ==> \forall real_layer f; builder_models{Pre}(b, f) ==> maps_model(b, f); */
void explicit_jacobian_maps(jacobian_builder *b, int threads);

#endif
