#include "certify/enclosure/attention_enclosure.h"
#include "certify/enclosure/jacobian_enclosure.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "kernel/linear/index.h"

/* w contains p (v - y). Where i attends to itself alone, y = v, and w is [0, 0] rather than as wide as v - v. */
/*@ requires valid: \valid(w) && \valid_read(p) && \valid_read(value) && \valid_read(mean) && \valid(ws);
    requires live: live(w) && live(p) && live(value) && live(mean) && live_scratch(ws);
    requires separated: \separated(w, ws, p) && \separated(w, ws, value) && \separated(w, ws, mean);
    terminates \true;
    assigns *w, *ws;
    ensures contains: \forall real a, v, y; in{Pre}(p, a) ==> in{Pre}(value, v) ==> in{Pre}(mean, y) ==>
      (n == 1 ==> vanishes(v - y)) ==> in(w, prod(a, v - y)); */
static void deviation_enclosure(interval *w, const interval *p, const interval *value, const interval *mean, int n,
                                interval_scratch *ws) {
  if (n == 1) {
    interval_set_zero(w);
    //@ assert nothing: \forall real a, x; vanishes(x) ==> vanishes(prod(a, x));
  } else {
    interval_sub(w, value, mean);
    //@ assert factor: \forall real a; in{Pre}(p, a) ==> in(p, a);
    interval_mul(w, p, w, ws);
  }
}

/* Adds a x to row t of `rows` (n x d). */
/*@ requires sides: side(n) && side(d) && 0 <= t < n;
    requires valid: \valid(rows + (0 .. row(n, d) - 1)) && \valid_read(a) && \valid_read(x + (0 .. d - 1)) &&
                    \valid(ws);
    requires live: live_vec(rows, row(n, d)) && live(a) && live_vec(x, d) && live_scratch(ws);
    requires separated: \separated(rows + (0 .. row(n, d) - 1), ws, a, x + (0 .. d - 1));
    terminates \true;
    assigns rows[0 .. row(n, d) - 1], *ws;
    ensures added: cells_plus{Pre, Pre, Post}(rows, a, x, n, d, t); */
static void row_add(interval *rows, const interval *a, const interval *x, int n, int d, int t, interval_scratch *ws) {
  const int start = row_offset(t, d, n);
  //@ assert inside: 0 <= start && start + d <= row(n, d);
  scaled_row_add(rows + start, a, x, d, ws);
  //@ assert row: row_plus{Pre, Pre, Here}(rows + start, a, x, d);
  //@ assert below: kept{Pre, Here}(rows, 0, start);
  //@ assert above: kept{Pre, Here}(rows, start + d, row(n, d));
  /*@ assert entries: \forall integer c, real s, y, z; 0 <= c < d ==> in{Pre}(a, y) ==> in{Pre}(x + c, z) ==>
        entry_in{Pre}(rows + start, c, s) ==> entry_in(rows + start, c, s + prod(y, z)); */
  /*@ assert cells: \forall integer c, real s;
        (in_cell{Pre}(rows, d, t, c, s) <==> entry_in{Pre}(rows + start, c, s)) &&
        (in_cell(rows, d, t, c, s) <==> entry_in(rows + start, c, s)); */
  /*@ assert here: \forall integer c, real s, y, z; 0 <= c < d ==> in{Pre}(a, y) ==> in{Pre}(x + c, z) ==>
        in_cell{Pre}(rows, d, t, c, s) ==> in_cell(rows, d, t, c, s + prod(y, z)); */
  /*@ assert lower: \forall integer q, c, real s; 0 <= q < t ==> 0 <= c < d ==>
        in_cell{Pre}(rows, d, q, c, s) ==> in_cell(rows, d, q, c, s); */
  /*@ assert higher: \forall integer q, c, real s; t < q < n ==> 0 <= c < d ==>
        in_cell{Pre}(rows, d, q, c, s) ==> in_cell(rows, d, q, c, s); */
}

/* What position l adds to all rows: block (i, l) without the covariance, and its term of the covariance to
 * block (i, i). */
/*@ requires sides: side(f.n) && side(f.k) && side(f.d) && 0 <= f.i < f.n && 0 <= f.r < f.k && 0 <= l < f.n;
    requires readable: jacobian_row_readable(f);
    requires valid: \valid(rows + (0 .. row(f.n, f.d) - 1)) && \valid(w) && \valid(ws);
    requires live: live_vec(rows, row(f.n, f.d)) && live(w) && live_scratch(ws);
    requires separated: jacobian_row_outside(f, rows, w, ws);
    terminates \true;
    assigns rows[0 .. row(f.n, f.d) - 1], *w, *ws;
    ensures added: cells_step{Pre, Pre, Post}(rows, f, l); */
static void position_add(interval *rows, jacobian_row f, int l, interval *w, interval_scratch *ws) {
  const int n = f.n, k = f.k, d = f.d, i = f.i, r = f.r;
  const int value = row_offset(l, k, n) + r, gradient = row_offset(l, d, n);
  //@ assert inside: 0 <= value < row(n, k) && 0 <= gradient && gradient + d <= row(n, d);
  deviation_enclosure(w, &f.p[l], &f.values[value], f.mean, n, ws);
  /*@ assert deviation: \forall rvec ps, vs, ys, us, gs, hs; are_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==>
        in(w, real_deviation(ps, vs, ys, k, r, l)); */
  //@ ghost Deviation:;
  //@ assert rows: kept{Pre, Here}(rows, 0, row(n, d));
  /*@ assert cells: \forall integer q, c, real s; 0 <= q < n ==> 0 <= c < d ==> in_cell{Pre}(rows, d, q, c, s) ==>
        in_cell(rows, d, q, c, s); */
  //@ assert g_deviation: kept{Pre, Here}(f.g, 0, d);
  //@ assert h_deviation: kept{Pre, Here}(f.h, 0, row(n, d));
  //@ assert weight: kept{Pre, Here}(f.weight, 0, d);
  //@ assert probability: \forall real x; in{Pre}(f.p + l, x) ==> in(f.p + l, x);
  /*@ assert weights: \forall rvec ps, vs, ys, us, gs, hs; are_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==>
        in(f.p + l, entry(ps, l)) && \forall integer c; 0 <= c < d ==>
        in(f.weight + c, entry(us, row(r, d) + c)); */
  row_add(rows, &f.p[l], f.weight, n, d, l, ws);
  /*@ assert weighted: \forall integer q, c, real s, x, z; 0 <= q < n ==> 0 <= c < d ==> in{Deviation}(f.p + l, x) ==>
        in{Deviation}(f.weight + c, z) ==> in_cell{Deviation}(rows, d, q, c, s) ==>
        in_cell(rows, d, q, c, s + (q == l ? prod(x, z) : 0.0)); */
  /*@ assert first: \forall rvec ps, vs, ys, us, gs, hs; are_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==>
        \forall integer q, c, real s; 0 <= q < n ==> 0 <= c < d ==> in_cell{Deviation}(rows, d, q, c, s) ==>
        in_cell(rows, d, q, c, s + (q == l ? prod(entry(ps, l), entry(us, row(r, d) + c)) : 0.0)); */
  //@ ghost First:;
  //@ assert same_deviation: \forall real x; in{Deviation}(w, x) ==> in(w, x);
  //@ assert g_row_added: kept{Deviation, Here}(f.g, 0, d);
  //@ assert gradient: kept{Pre, Here}(f.g, 0, d);
  //@ assert h_row_added: kept{Deviation, Here}(f.h, 0, row(n, d));
  //@ assert h_first: kept{Pre, Here}(f.h, 0, row(n, d));
  /*@ assert gradients: \forall rvec ps, vs, ys, us, gs, hs; are_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==>
        in(w, real_deviation(ps, vs, ys, k, r, l)) && \forall integer c; 0 <= c < d ==>
        in(f.g + c, entry(gs, c)); */
  row_add(rows, w, f.g, n, d, l, ws);
  /*@ assert second: \forall rvec ps, vs, ys, us, gs, hs; are_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==>
        \forall integer q, c, real s; 0 <= q < n ==> 0 <= c < d ==> in_cell{First}(rows, d, q, c, s) ==>
        in_cell(rows, d, q, c, s + (q == l ? prod(real_deviation(ps, vs, ys, k, r, l), entry(gs, c)) : 0.0)); */
  //@ ghost Second:;
  //@ assert still_deviation: \forall real x; in{First}(w, x) ==> in(w, x);
  //@ assert h_second: kept{First, Here}(f.h, 0, row(n, d));
  //@ assert h: kept{Pre, Here}(f.h, 0, row(n, d));
  /*@ assert h_cells: \forall integer c, real x; 0 <= c < d ==> in_cell{Pre}(f.h, d, l, c, x) ==>
        in_cell(f.h, d, l, c, x); */
  /*@ assert h_row: \forall integer c, real x; in_cell(f.h, d, l, c, x) ==> entry_in(f.h + gradient, c, x); */
  /*@ assert queries: \forall rvec ps, vs, ys, us, gs, hs; are_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==>
        in(w, real_deviation(ps, vs, ys, k, r, l)) && \forall integer c; 0 <= c < d ==>
        entry_in(f.h + gradient, c, matrix_entry(hs, d, l, c)); */
  row_add(rows, w, f.h + gradient, n, d, i, ws);
  /*@ assert scaled: \forall integer q, c, real s, x, z; 0 <= q < n ==> 0 <= c < d ==> in{Second}(w, x) ==>
        entry_in{Second}(f.h + gradient, c, z) ==> in_cell{Second}(rows, d, q, c, s) ==>
        in_cell(rows, d, q, c, s + (q == i ? prod(x, z) : 0.0)); */
  /*@ assert third: \forall rvec ps, vs, ys, us, gs, hs; are_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==>
        \forall integer q, c, real s; 0 <= q < n ==> 0 <= c < d ==> in_cell{Second}(rows, d, q, c, s) ==>
        in_cell(rows, d, q, c,
                s + (q == i ? prod(real_deviation(ps, vs, ys, k, r, l), matrix_entry(hs, d, l, c)) : 0.0)); */
}

void jacobian_row_add(interval *rows, jacobian_row f, interval *w, interval_scratch *ws) {
  /*@ loop invariant range: 0 <= l <= f.n;
      loop invariant partial: cells_enclose{Pre, Pre, Here}(rows, f, l);
      loop assigns l, rows[0 .. row(f.n, f.d) - 1], *w, *ws;
      loop variant f.n - l; */
  for (int l = 0; l < f.n; l++) {
    //@ ghost Before:;
    //@ assert frame: keeps_two{Pre, Here}(rows, row(f.n, f.d), w, 1, ws);
    //@ assert p: kept{Pre, Here}(f.p, 0, f.n);
    //@ assert values: kept{Pre, Here}(f.values, 0, row(f.n, f.k));
    //@ assert mean_row: kept{Pre, Here}(f.mean, 0, 1);
    //@ assert mean: \forall real x; in{Pre}(f.mean, x) ==> in(f.mean, x);
    //@ assert weight: kept{Pre, Here}(f.weight, 0, f.d);
    //@ assert g: kept{Pre, Here}(f.g, 0, f.d);
    //@ assert h: kept{Pre, Here}(f.h, 0, row(f.n, f.d));
    /*@ assert h_cells: \forall integer q, c, real x; 0 <= q < f.n ==> 0 <= c < f.d ==>
          in_cell{Pre}(f.h, f.d, q, c, x) ==> in_cell(f.h, f.d, q, c, x); */
    /*@ assert factors: \forall rvec ps, vs, ys, us, gs, hs;
          are_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==> are_factors(f, ps, vs, ys, us, gs, hs); */
    position_add(rows, f, l, w, ws);
    //@ assert step: cells_step{Pre, Before, Here}(rows, f, l);
    /*@ assert next: \forall rvec ps, vs, ys, us, gs, hs, integer q, c;
          real_rows_partial(ps, vs, ys, us, gs, hs, f.k, f.d, f.i, f.r, q, c, l + 1) ==
          real_rows_partial(ps, vs, ys, us, gs, hs, f.k, f.d, f.i, f.r, q, c, l) +
          real_rows_step(ps, vs, ys, us, gs, hs, f.k, f.d, f.i, f.r, q, c, l); */
    /*@ assert sum: \forall rvec ps, vs, ys, us, gs, hs; are_factors{Pre}(f, ps, vs, ys, us, gs, hs) ==>
          \forall integer q, c, real s; 0 <= q < f.n ==> 0 <= c < f.d ==> in_cell{Pre}(rows, f.d, q, c, s) ==>
          in_cell(rows, f.d, q, c, s + real_rows_partial(ps, vs, ys, us, gs, hs, f.k, f.d, f.i, f.r, q, c, l) +
                                 real_rows_step(ps, vs, ys, us, gs, hs, f.k, f.d, f.i, f.r, q, c, l)); */
  }
}
