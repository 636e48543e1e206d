#include "certify/jacobian/head_rows.h"

#include "certify/jacobian/block_offset.h"
#include "kernel/linear/index.h"

/*@ predicate head_factors_kept{L1, L2}(head_rows f) =
      \forall rvec ps, vs, ys, us, gs, hs; are_head_factors{L1}(f, ps, vs, ys, us, gs, hs) ==>
      are_head_factors{L2}(f, ps, vs, ys, us, gs, hs); */

/* Row o. */
/*@ requires sides: side(f.tokens) && side(f.height) && side(f.d) && 0 <= f.i < f.n <= f.tokens && 0 <= o < f.height;
    requires readable: head_rows_readable(f);
    requires valid: \valid(rows + (0 .. row(f.tokens, f.d) - 1)) && \valid(w) && \valid(ws);
    requires live: live_vec(rows, row(f.tokens, f.d)) && live(w) && live_scratch(ws);
    requires separated: head_rows_outside(f, rows, row(f.tokens, f.d), w, ws);
    terminates \true;
    assigns rows[0 .. row(f.tokens, f.d) - 1], *w, *ws;
    ensures contains: \forall rvec ps, vs, ys, us, gs, hs; are_head_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==>
      \forall integer l, c, real s; 0 <= l < f.n ==> 0 <= c < f.d ==> in_cell{Pre}(rows, f.d, l, c, s) ==>
      in_cell(rows, f.d, l, c, s + real_block(ps, vs, ys, us, gs, hs, f.height, f.d, f.n, f.i, l, o, c));
    ensures masked: kept{Pre, Post}(rows, row(f.n, f.d), row(f.tokens, f.d)); */
static void component_add(interval *rows, head_rows f, int o, interval *w, interval_scratch *ws) {
  const int start = row_offset(o, f.d, f.height);
  //@ assert inside: 0 <= start && start + f.d <= row(f.height, f.d);
  //@ assert attended: row(f.n, f.d) <= row(f.tokens, f.d) && row(f.n, f.height) <= row(f.tokens, f.height);
  const jacobian_row row = {.n = f.n,
                            .k = f.height,
                            .d = f.d,
                            .i = f.i,
                            .r = o,
                            .p = f.p,
                            .values = f.values,
                            .mean = &f.means[o],
                            .weight = f.maps + start,
                            .g = f.g,
                            .h = f.h};
  //@ assert live_map: live_vec(f.maps + start, f.d);
  //@ assert map: \forall rvec us; in_vec(f.maps, us, 0, row(f.height, f.d)) ==> in_vec(f.maps + start, us, start, f.d);
  /*@ assert factors: \forall rvec ps, vs, ys, us, gs, hs; are_head_factors(f, ps, vs, ys, us, gs, hs) ==>
        are_factors(row, ps, vs, ys, us, gs, hs); */
  jacobian_row_add(rows, row, w, ws);
  /*@ assert partial: \forall rvec ps, vs, ys, us, gs, hs; are_head_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==>
        \forall integer l, c, real s; 0 <= l < f.n ==> 0 <= c < f.d ==> in_cell{Pre}(rows, f.d, l, c, s) ==>
        in_cell(rows, f.d, l, c,
                s + real_rows_partial(ps, vs, ys, us, gs, hs, f.height, f.d, f.i, o, l, c, f.n)); */
}

void head_rows_add(interval *rows, head_rows f, interval *w, interval_scratch *ws) {
  const int size = row_offset(f.tokens, f.d, f.tokens);
  //@ assert size: 0 <= size <= DIM_MAX * DIM_MAX && size == row(f.tokens, f.d);
  /*@ loop invariant range: 0 <= o <= f.height;
      loop invariant done: head_rows_enclose{Pre, Pre, Here}(rows, f, o);
      loop invariant masked: head_rows_masked{Pre, Here}(rows, f, o);
      loop invariant rest: kept{Pre, Here}(rows, row(o, size), row(f.height, size));
      loop assigns o, rows[0 .. row(f.height, size) - 1], *w, *ws;
      loop variant f.height - o; */
  for (int o = 0; o < f.height; o++) {
    const size_t start = block_offset((size_t)o, (size_t)size);
    //@ ghost Before:;
    //@ assert start: start == row(o, size);
    //@ assert inside: 0 <= start && start + size <= row(f.height, size) && row(o + 1, size) == start + size;
    //@ assert frame: keeps_two{Pre, Here}(rows, row(f.height, size), w, 1, ws);
    //@ assert p: kept{Pre, Here}(f.p, 0, f.tokens);
    //@ assert values: kept{Pre, Here}(f.values, 0, row(f.tokens, f.height));
    //@ assert means: kept{Pre, Here}(f.means, 0, f.height);
    //@ assert maps: kept{Pre, Here}(f.maps, 0, row(f.height, f.d));
    //@ assert g: kept{Pre, Here}(f.g, 0, f.d);
    //@ assert h: kept{Pre, Here}(f.h, 0, row(f.tokens, f.d));
    //@ assert attended: row(f.n, f.d) <= row(f.tokens, f.d) && row(f.n, f.height) <= row(f.tokens, f.height);
    /*@ assert h_cells: \forall integer q, c, real x; 0 <= q < f.n ==> 0 <= c < f.d ==>
          in_cell{Pre}(f.h, f.d, q, c, x) ==> in_cell(f.h, f.d, q, c, x); */
    //@ assert factors: head_factors_kept{Pre, Here}(f);
    //@ assert live_row: live_vec(rows + start, size);
    component_add(rows + start, f, o, w, ws);
    //@ assert new_row: head_row_encloses{Pre, Before, Here}(rows, f, o);
    /*@ assert old_cells: \forall integer l, c, real s; 0 <= l < f.n ==> 0 <= c < f.d ==>
          in_row{Pre}(rows, f, o, l, c, s) ==> in_row{Before}(rows, f, o, l, c, s); */
    //@ assert row: head_row_encloses{Pre, Pre, Here}(rows, f, o);
    //@ assert row_masked: head_row_masked{Pre, Here}(rows, f, o);
    //@ assert below: kept{Before, Here}(rows, 0, start);
    //@ assert above: kept{Before, Here}(rows, start + size, row(f.height, size));
    //@ assert rows_below: \forall integer q; 0 <= q < o ==> 0 <= row(q, size) && row(q, size) + size <= start;
    //@ assert cells_inside: \forall integer l, c; 0 <= l < f.n ==> 0 <= c < f.d ==> 0 <= row(l, f.d) + c < size;
    /*@ assert others: \forall integer q, l, c, real s; 0 <= q < o ==> 0 <= l < f.n ==> 0 <= c < f.d ==>
          in_row{Before}(rows, f, q, l, c, s) ==> in_row(rows, f, q, l, c, s); */
    //@ assert others_enclose: head_rows_enclose{Pre, Pre, Here}(rows, f, o);
    //@ assert others_masked: head_rows_masked{Pre, Here}(rows, f, o);
  }
}
