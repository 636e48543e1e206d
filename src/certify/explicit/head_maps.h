/* What the output matrix W_O makes of the value weights V of one head: W_h V, or V itself without W_O. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_HEAD_MAPS_H
#define ATTCERT_CERTIFY_EXPLICIT_HEAD_MAPS_H

#include "certify/explicit/head_output.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/points_lemmas.acsl"

#include "explicit_jacobian/head_maps.acsl"
#endif

/*@ predicate beside_maps(char *x, interval *maps, interval *column, interval_scratch *ws) =
      x != \base_addr(maps) && x != \base_addr(column) && x != \base_addr(ws); */

/* maps [height][d]; weight is V [k][d]; column: room for k + height intervals. */
/*@ requires sides: side(f.k) && side(f.height) && side(f.width) && side(d);
    requires output: head_output_readable(f);
    requires valid: \valid(maps + (0 .. row(f.height, d) - 1)) && \valid_read(weight + (0 .. row(f.k, d) - 1)) &&
      \valid(column + (0 .. f.k + f.height - 1)) && \valid(ws);
    requires live: live_vec(maps, row(f.height, d)) && live_vec(column, f.k + f.height) && live_scratch(ws);
    requires separated: \separated(maps + (0 .. row(f.height, d) - 1), column + (0 .. f.k + f.height - 1), ws,
                                   weight + (0 .. row(f.k, d) - 1));
    requires apart: head_output_outside(f, column, f.k + f.height, ws);
    requires apart_maps: head_output_outside(f, maps, row(f.height, d), ws);
    requires finite: finite_weights(weight, row(f.k, d));
    terminates \true;
    assigns maps[0 .. row(f.height, d) - 1], column[0 .. f.k + f.height - 1], *ws;
    ensures contains: maps_enclose{Pre, Post}(maps, weight, d, f, d);
    ensures ints: \forall int *x; beside_maps(\base_addr(x), maps, column, ws) ==> *x == \old(*x);
    ensures longs: \forall long *x; beside_maps(\base_addr(x), maps, column, ws) ==> *x == \old(*x);
    ensures doubles: \forall double *x; beside_maps(\base_addr(x), maps, column, ws) ==> *x == \old(*x);
    ensures others: \forall mpfr_srcptr x; \separated(x, maps + (0 .. row(f.height, d) - 1)) ==>
      \separated(x, column + (0 .. f.k + f.height - 1)) ==> \separated(x, ws) ==> unchanged{Pre, Post}(x); */
void head_maps_fill(interval *maps, const double *weight, int d, head_output f, interval *column, interval_scratch *ws);

#endif
