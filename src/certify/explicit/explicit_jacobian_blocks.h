/* The blocks that one head adds to the rows of one token in an explicit Jacobian. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_BLOCKS_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_BLOCKS_H

#include "certify/explicit/explicit_jacobian_part.h"

/*@ predicate outside_rows{L}(char *x, jacobian_builder *b) = outside_sources(x, b) && outside_maps(x, b); */

/* Adds head h's part of J_il to the rows of token i, for all l that i attends to. w: scratch. */
/*@ requires given: rows_given(b) && builder_distinct(b) && builder_blocks(b);
    requires token: 0 <= h < b->e->heads && 0 <= i < b->e->n;
    requires room: builder_room(rows, token_entries(b)) && \valid(w) && live(w) && \valid(ws) && live_scratch(ws);
    requires apart: outside_rows(\base_addr(rows), b) && outside_rows(\base_addr(w), b) &&
      outside_rows(\base_addr(ws), b);
    requires separated: \separated(rows + (0 .. token_entries(b) - 1), w, ws);
    terminates \true;
    assigns rows[0 .. token_entries(b) - 1], *w, *ws;
    ensures ints: \forall int *x; beside_rows(\base_addr(x), rows, w, ws) ==> *x == \old(*x);
    ensures longs: \forall long *x; beside_rows(\base_addr(x), rows, w, ws) ==> *x == \old(*x);
    ensures numbers: \forall mpfr_srcptr x; beside_rows(\base_addr(x), rows, w, ws) ==> unchanged{Pre, Post}(x);
    ensures added: \forall real_layer f; maps_model{Pre}(b, f) ==> rows_hold{Pre}(rows, f, i, h) ==>
      rows_hold(rows, f, i, h + 1); */
void explicit_jacobian_blocks(interval *rows, const jacobian_builder *b, int h, int i, interval *w,
                              interval_scratch *ws);

#endif
