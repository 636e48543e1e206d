#include "certify/explicit/head_rows.h"

#include "certify/explicit/head_component.h"
#include "kernel/linear/index.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/head_rows_lemmas.acsl"
#endif

/*@ predicate head_factors_kept{L1, L2}(head_rows f) =
      \forall rvec ps, vs, ys, us, gs, hs; are_head_factors{L1}(f, ps, vs, ys, us, gs, hs) ==>
      are_head_factors{L2}(f, ps, vs, ys, us, gs, hs); */

void head_rows_add(interval *rows, head_rows f, interval *w, interval_scratch *ws) {
  const int size = row_offset(f.tokens, f.d, f.tokens);
  //@ assert size: 0 <= size <= DIM_MAX * DIM_MAX && size == row(f.tokens, f.d);
  //@ assert product: row(f.height, size) == f.height * size && f.height * size <= DIM_MAX * DIM_MAX * DIM_MAX;
  size_t start = 0;
  /*@ loop invariant range: 0 <= o <= f.height;
      loop invariant start: start == row(o, size);
      loop invariant done: head_rows_enclose{Pre, Pre, Here}(rows, f, o);
      loop invariant masked: head_rows_masked{Pre, Here}(rows, f, o);
      loop invariant rest: kept{Pre, Here}(rows, row(o, size), row(f.height, size));
      loop assigns o, start, rows[0 .. row(f.height, size) - 1], *w, *ws;
      loop variant f.height - o; */
  for (int o = 0; o < f.height; o++, start += (size_t)size) {
    //@ ghost Before:;
    //@ assert frame: keeps_two{Pre, Here}(rows, row(f.height, size), w, 1, ws);
    //@ assert inside: 0 <= start && start + size <= row(f.height, size) && row(o + 1, size) == start + size;
    //@ assert rest_row: \forall integer t; 0 <= t < size ==> row(o, size) <= start + t < row(f.height, size);
    //@ assert untouched: head_row_kept{Pre, Here}(rows, f, o);
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
    head_component_add(rows + start, f, o, w, ws);
    //@ assert new_row: head_row_encloses{Pre, Before, Here}(rows, f, o);
    //@ assert new_masked: head_row_masked{Before, Here}(rows, f, o);
    //@ assert row: head_row_encloses{Pre, Pre, Here}(rows, f, o);
    //@ assert row_masked: head_row_masked{Pre, Here}(rows, f, o);
    //@ assert frame_row: keeps_two{Before, Here}(rows + start, row(f.n, f.d), w, 1, ws);
    /*@ assert after: \forall integer t; start + size <= t < row(f.height, size) ==>
          \separated(rows + t + (0 .. 0), rows + start + (0 .. row(f.n, f.d) - 1)) &&
          \separated(rows + t + (0 .. 0), w + (0 .. 0)) && \separated(rows + t + (0 .. 0), ws); */
    /*@ assert after_kept: \forall integer t; start + size <= t < row(f.height, size) ==>
          kept{Before, Here}(rows + t, 0, 1); */
    //@ assert above: kept{Before, Here}(rows, start + size, row(f.height, size));
    /*@ assert rows_below: \forall integer q; 0 <= q < o ==> 0 <= row(q, row(f.tokens, f.d)) &&
          row(q, row(f.tokens, f.d)) + row(f.tokens, f.d) <= row(o, row(f.tokens, f.d)); */
    //@ assert rows_kept: \forall integer q; 0 <= q < o ==> head_row_kept{Before, Here}(rows, f, q);
    //@ assert earlier: \forall integer q; 0 <= q < o ==> head_row_encloses{Pre, Pre, Before}(rows, f, q);
    //@ assert earlier_masked: \forall integer q; 0 <= q < o ==> head_row_masked{Pre, Before}(rows, f, q);
    //@ assert each: \forall integer q; 0 <= q < o ==> head_row_encloses{Pre, Pre, Here}(rows, f, q);
    //@ assert each_masked: \forall integer q; 0 <= q < o ==> head_row_masked{Pre, Here}(rows, f, q);
    //@ assert others_enclose: head_rows_enclose{Pre, Pre, Here}(rows, f, o);
    //@ assert others_masked: head_rows_masked{Pre, Here}(rows, f, o);
  }
}
