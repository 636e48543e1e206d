/* What one head adds to one row of one token in the Jacobian (head_rows.h). */
#ifndef ATTCERT_CERTIFY_EXPLICIT_HEAD_COMPONENT_H
#define ATTCERT_CERTIFY_EXPLICIT_HEAD_COMPONENT_H

#include "certify/explicit/head_rows.h"

/* Row o: `rows` has tokens x d entries. w is scratch. */
/*@ requires sides: side(f.tokens) && side(f.height) && side(f.d) && 0 <= f.i < f.n <= f.tokens && 0 <= o < f.height;
    requires readable: head_rows_readable(f);
    requires valid: \valid(rows + (0 .. row(f.tokens, f.d) - 1)) && \valid(w) && \valid(ws);
    requires live: live_vec(rows, row(f.tokens, f.d)) && live(w) && live_scratch(ws);
    requires separated: head_rows_outside(f, rows, row(f.tokens, f.d), w, ws) && head_rows_distinct(f);
    terminates \true;
    assigns rows[0 .. row(f.tokens, f.d) - 1], *w, *ws;
    ensures contains: \forall rvec ps, vs, ys, us, gs, hs; are_head_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==>
      \forall integer l, c, real s; 0 <= l < f.n ==> 0 <= c < f.d ==> in_cell{Pre}(rows, f.d, l, c, s) ==>
      in_cell(rows, f.d, l, c, s + real_block(ps, vs, ys, us, gs, hs, f.height, f.d, f.n, f.i, l, o, c));
    ensures masked: kept{Pre, Post}(rows, row(f.n, f.d), row(f.tokens, f.d));
    ensures frame: keeps_two{Pre, Post}(rows, row(f.n, f.d), w, 1, ws); */
void head_component_add(interval *rows, head_rows f, int o, interval *w, interval_scratch *ws);

#endif
