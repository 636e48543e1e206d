/* What the rows of an explicit Jacobian are made from, of every head: W_h V_h. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_HEADS_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_HEADS_H

#include "certify/explicit/explicit_jacobian_builder.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_kept.acsl"
#endif

/* Of head `head`; column: room for head_dim + height intervals. */
/*@ requires ready: builder_ready(b);
    requires head: 0 <= head < b->e->heads;
    requires column: builder_room(column, b->e->head_dim + b->height);
    requires apart: outside_sources(\base_addr(column), b) && outside_builder(\base_addr(column), b);
    terminates \true;
    assigns b->value[0 .. maps_size(b) - 1], column[0 .. b->e->head_dim + b->height - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures kept: builder_kept{Pre, Post}(b);
    ensures live: builder_live(b);
    ensures tokens: tokens_kept{Pre, Post}(b, all_tokens{Pre}(b->e));
    ensures earlier: ends_kept{Pre, Post}(\at(b->value, Pre), row(head, row(\at(b->height, Pre), \at(b->e->dim, Pre))));
    ensures maps: \forall real_layer f; builder_models{Pre}(b, f) ==> head_maps_in(b, f, head); */
void explicit_jacobian_head(const jacobian_builder *b, int head, interval *column);

#endif
