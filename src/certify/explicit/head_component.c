#include "certify/explicit/head_component.h"

#include "kernel/linear/index.h"

void head_component_add(interval *rows, head_rows f, int o, interval *w, interval_scratch *ws) {
  const int start = row_offset(o, f.d, f.height);
  //@ assert inside: 0 <= start && start + f.d <= row(f.height, f.d);
  //@ assert all_or_fewer: f.n == f.tokens || f.n < f.tokens;
  //@ assert attended_d: 0 <= row(f.n, f.d) <= row(f.tokens, f.d);
  //@ assert attended_height: 0 <= row(f.n, f.height) <= row(f.tokens, f.height);
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
  //@ assert valid_p: \valid_read(f.p + (0 .. f.n - 1)) && live_vec(f.p, f.n);
  /*@ assert valid_values: \valid_read(f.values + (0 .. row(f.n, f.height) - 1)) &&
        live_vec(f.values, row(f.n, f.height)); */
  //@ assert valid_mean: \valid_read(f.means + o) && live(f.means + o);
  //@ assert valid_map: \valid_read(f.maps + start + (0 .. f.d - 1));
  //@ assert valid_h: \valid_read(f.h + (0 .. row(f.n, f.d) - 1)) && live_vec(f.h, row(f.n, f.d));
  //@ assert live_map: live_vec(f.maps + start, f.d);
  //@ assert map: \forall rvec us; in_vec(f.maps, us, 0, row(f.height, f.d)) ==> in_vec(f.maps + start, us, start, f.d);
  //@ assert readable: jacobian_row_readable(row);
  //@ assert outside_p: \separated(rows + (0 .. row(f.n, f.d) - 1), w, ws, f.p + (0 .. f.n - 1));
  //@ assert outside_map: \separated(rows + (0 .. row(f.n, f.d) - 1), w, ws, f.maps + start + (0 .. f.d - 1));
  /*@ assert outside_values: \separated(rows + (0 .. row(f.n, f.d) - 1), w, ws,
        f.values + (0 .. row(f.n, f.height) - 1)); */
  //@ assert outside_mean: \separated(rows + (0 .. row(f.n, f.d) - 1), w, ws, f.means + o);
  //@ assert outside_g: \separated(rows + (0 .. row(f.n, f.d) - 1), w, ws, f.g + (0 .. f.d - 1));
  //@ assert outside_h: \separated(rows + (0 .. row(f.n, f.d) - 1), w, ws, f.h + (0 .. row(f.n, f.d) - 1));
  //@ assert p_and_maps: \separated(f.p + (0 .. f.n - 1), f.maps + (0 .. row(f.height, f.d) - 1));
  //@ assert p_and_map: \separated(f.p + (0 .. f.n - 1), f.maps + start + (0 .. f.d - 1));
  //@ assert p_and_values: \separated(f.p + (0 .. f.n - 1), f.values + (0 .. row(f.n, f.height) - 1), f.means + o);
  //@ assert g_and_h: \separated(f.g + (0 .. f.d - 1), f.h + (0 .. row(f.n, f.d) - 1));
  //@ assert outside: jacobian_row_outside(row, rows, w, ws);
  //@ assert mean: \forall rvec ys; in_vec(f.means, ys, 0, f.height) ==> in(f.means + o, entry(ys, o));
  /*@ assert vectors: \forall rvec ps, vs, ys, us, gs, hs; are_head_factors(f, ps, vs, ys, us, gs, hs) ==>
        in_vec(row.p, ps, 0, row.n) && in_vec(row.values, vs, 0, row(row.n, row.k)) && in_vec(row.g, gs, 0, row.d); */
  /*@ assert map_row: \forall rvec ps, vs, ys, us, gs, hs; are_head_factors(f, ps, vs, ys, us, gs, hs) ==>
        in(row.mean, entry(ys, row.r)) && in_vec(row.weight, us, row(row.r, row.d), row.d); */
  /*@ assert gradients: \forall rvec ps, vs, ys, us, gs, hs; are_head_factors(f, ps, vs, ys, us, gs, hs) ==>
        in_matrix(row.h, hs, row.n, row.d); */
  /*@ assert alone: f.n == 1 ==> \forall rvec ps, vs, ys, us, gs, hs;
        are_head_factors(f, ps, vs, ys, us, gs, hs) ==>
        vanishes(entry(vs, row(0, f.height) + o) - entry(ys, o)); */
  /*@ assert factors: \forall rvec ps, vs, ys, us, gs, hs; are_head_factors(f, ps, vs, ys, us, gs, hs) ==>
        are_factors(row, ps, vs, ys, us, gs, hs); */
  jacobian_row_add(rows, row, w, ws);
  //@ assert frame: keeps_two{Pre, Here}(rows, row(f.n, f.d), w, 1, ws);
  /*@ assert beyond: \forall integer t; row(f.n, f.d) <= t < row(f.tokens, f.d) ==>
        \separated(rows + t + (0 .. 0), rows + (0 .. row(f.n, f.d) - 1)) &&
        \separated(rows + t + (0 .. 0), w + (0 .. 0)) && \separated(rows + t + (0 .. 0), ws); */
  /*@ assert beyond_kept: \forall integer t; row(f.n, f.d) <= t < row(f.tokens, f.d) ==>
        kept{Pre, Here}(rows + t, 0, 1); */
  /*@ assert partial: \forall rvec ps, vs, ys, us, gs, hs; are_head_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==>
        \forall integer l, c, real s; 0 <= l < f.n ==> 0 <= c < f.d ==> in_cell{Pre}(rows, f.d, l, c, s) ==>
        in_cell(rows, f.d, l, c,
                s + real_rows_partial(ps, vs, ys, us, gs, hs, f.height, f.d, f.i, o, l, c, f.n)); */
}
