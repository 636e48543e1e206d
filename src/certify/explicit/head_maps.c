#include "certify/explicit/head_maps.h"

#include "interval/interval_set.h"
#include "kernel/linear/index.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/head_maps_lemmas.acsl"
#endif

/* Column c of weight. */
/*@ requires sides: side(k) && side(d) && 0 <= c < d;
    requires valid: \valid(column + (0 .. k - 1)) && \valid_read(weight + (0 .. row(k, d) - 1));
    requires live: live_vec(column, k);
    requires separated: \separated(column + (0 .. k - 1), weight + (0 .. row(k, d) - 1));
    requires finite: finite_weights(weight, row(k, d));
    terminates \true;
    assigns column[0 .. k - 1];
    ensures contains: \forall rvec u; weights_are{Pre}(weight, u, row(k, d)) ==>
      in_vec(column, matrix_column(u, d, c), 0, k); */
static void take_column(interval *column, const double *weight, int c, int k, int d) {
  /*@ loop invariant range: 0 <= r <= k;
      loop invariant contains: \forall rvec u; weights_are{Pre}(weight, u, row(k, d)) ==>
        in_vec(column, matrix_column(u, d, c), 0, r);
      loop assigns r, column[0 .. k - 1];
      loop variant k - r; */
  for (int r = 0; r < k; r++) {
    const int from = row_offset(r, d, k) + c;
    //@ ghost Before:;
    //@ assert inside: 0 <= from < row(k, d);
    //@ assert finite: finite_double(weight[from]) && weight[from] == \at(weight[\at(from, Here)], Pre);
    /*@ assert member: \forall rvec u; weights_are{Pre}(weight, u, row(k, d)) ==>
          weight[from] == entry(matrix_column(u, d, c), r); */
    interval_set_d(&column[r], weight[from]);
    //@ assert new: in(column + r, \at(weight[\at(from, Here)], Before));
    //@ assert below: kept{Before, Here}(column, 0, r);
  }
}

/* Column c of maps. */
/*@ requires sides: side(height) && side(d) && 0 <= c < d;
    requires valid: \valid(maps + (0 .. row(height, d) - 1)) && \valid_read(a + (0 .. height - 1));
    requires live: live_vec(maps, row(height, d)) && live_vec(a, height);
    requires separated: \separated(maps + (0 .. row(height, d) - 1), a + (0 .. height - 1));
    terminates \true;
    assigns maps[0 .. row(height, d) - 1];
    ensures contains: \forall rvec z; in_vec{Pre}(a, z, 0, height) ==> in_column(maps, d, c, z, height);
    ensures others: \forall integer q, rvec z; 0 <= q < c ==> in_column{Pre}(maps, d, q, z, height) ==>
      in_column(maps, d, q, z, height); */
static void put_column(interval *maps, const interval *a, int c, int height, int d) {
  /*@ loop invariant range: 0 <= o <= height;
      loop invariant contains: \forall rvec z; in_vec{Pre}(a, z, 0, height) ==> in_column(maps, d, c, z, o);
      loop invariant others: \forall integer q, p, real x; 0 <= q < c ==> 0 <= p < height ==>
        entry_in{Pre}(maps, row(p, d) + q, x) ==> entry_in(maps, row(p, d) + q, x);
      loop assigns o, maps[0 .. row(height, d) - 1];
      loop variant height - o; */
  for (int o = 0; o < height; o++) {
    const int to = row_offset(o, d, height) + c;
    //@ ghost Before:;
    //@ assert inside: 0 <= to < row(height, d);
    //@ assert same: \forall real x; in{Pre}(a + o, x) ==> in(a + o, x);
    interval_set(&maps[to], &a[o]);
    //@ assert new: \forall real x; in{Pre}(a + o, x) ==> in(maps + to, x);
    //@ assert below: kept{Before, Here}(maps, 0, to);
    //@ assert above: kept{Before, Here}(maps, to + 1, row(height, d));
    //@ assert lower: \forall integer p; 0 <= p < o ==> 0 <= row(p, d) && row(p, d) + c < to;
    //@ assert higher: \forall integer p; o < p < height ==> to < row(p, d) && row(p, d) + d <= row(height, d);
    /*@ assert cells: \forall integer p, q, real x; 0 <= p < height ==> 0 <= q < c ==>
          entry_in{Before}(maps, row(p, d) + q, x) ==> entry_in(maps, row(p, d) + q, x); */
    /*@ assert column: \forall integer p, real x; 0 <= p < o ==> entry_in{Before}(maps, row(p, d) + c, x) ==>
          entry_in(maps, row(p, d) + c, x); */
  }
}

/* Column c of maps from column c of the weights. */
/*@ requires sides: side(f.k) && side(f.height) && side(f.width) && side(d) && 0 <= c < d;
    requires output: head_output_readable(f);
    requires valid: \valid(maps + (0 .. row(f.height, d) - 1)) && \valid_read(weight + (0 .. row(f.k, d) - 1)) &&
      \valid(from + (0 .. f.k - 1)) && \valid(to + (0 .. f.height - 1)) && \valid(ws);
    requires live: live_vec(maps, row(f.height, d)) && live_vec(from, f.k) && live_vec(to, f.height) &&
      live_scratch(ws);
    requires separated: \separated(maps + (0 .. row(f.height, d) - 1), from + (0 .. f.k - 1), to + (0 .. f.height - 1),
                                   ws, weight + (0 .. row(f.k, d) - 1));
    requires apart: head_output_outside(f, to, f.height, ws);
    requires apart_from: head_output_outside(f, from, f.k, ws);
    requires finite: finite_weights(weight, row(f.k, d));
    terminates \true;
    assigns maps[0 .. row(f.height, d) - 1], from[0 .. f.k - 1], to[0 .. f.height - 1], *ws;
    ensures contains: column_pushed{Pre, Post}(maps, weight, d, f, c);
    ensures others: \forall integer q, rvec z; 0 <= q < c ==> in_column{Pre}(maps, d, q, z, f.height) ==>
      in_column(maps, d, q, z, f.height); */
static void fill_column(interval *maps, const double *weight, int c, int d, head_output f, interval *from, interval *to,
                        interval_scratch *ws) {
  take_column(from, weight, c, f.k, d);
  /*@ assert output_row: f.weight != \null ==> \forall integer o; 0 <= o < f.height ==>
        \separated(from + (0 .. f.k - 1), f.weight + (row(o, f.width) .. row(o, f.width) + f.k - 1)); */
  /*@ assert output_points: f.weight != \null ==> \forall integer o; 0 <= o < f.height ==>
        points{Pre}(f.weight + row(o, f.width), f.k) ==> points(f.weight + row(o, f.width), f.k); */
  //@ assert readable: head_output_readable(f);
  /*@ assert output_rows: f.weight != \null ==> \forall rvec x, integer o; 0 <= o < f.height ==>
        is_vec{Pre}(f.weight + row(o, f.width), x, 0, f.k) ==> is_vec(f.weight + row(o, f.width), x, 0, f.k); */
  //@ assert output: f.weight != \null ==> \forall rvec w; is_output{Pre}(f, w) ==> is_output(f, w);
  //@ assert maps_taken: kept{Pre, Here}(maps, 0, row(f.height, d));
  //@ ghost Taken:;
  head_output_push(to, from, f, ws);
  /*@ assert pushed: f.weight != \null ==> \forall rvec w, u; is_output{Pre}(f, w) ==>
        weights_are{Pre}(weight, u, row(f.k, d)) ==>
        in_vec(to, real_output(w, f.width, f.k, matrix_column(u, d, c)), 0, f.height); */
  /*@ assert copied: f.weight == \null ==> \forall rvec u; weights_are{Pre}(weight, u, row(f.k, d)) ==>
        in_vec(to, matrix_column(u, d, c), 0, f.height); */
  //@ assert maps_pushed: kept{Taken, Here}(maps, 0, row(f.height, d));
  //@ assert rows: \forall integer o; 0 <= o < f.height ==> 0 <= row(o, d) && row(o, d) + d <= row(f.height, d);
  /*@ assert cells: \forall integer q, rvec z; 0 <= q < c ==> in_column{Pre}(maps, d, q, z, f.height) ==>
        in_column(maps, d, q, z, f.height); */
  put_column(maps, to, c, f.height, d);
}

void head_maps_fill(interval *maps, const double *weight, int d, head_output f, interval *column,
                    interval_scratch *ws) {
  /*@ loop invariant range: 0 <= c <= d;
      loop invariant contains: maps_enclose{Pre, Here}(maps, weight, d, f, c);
      loop assigns c, maps[0 .. row(f.height, d) - 1], column[0 .. f.k + f.height - 1], *ws;
      loop variant d - c; */
  for (int c = 0; c < d; c++) {
    //@ ghost Before:;
    /*@ assert rows_apart: f.weight != \null ==> \forall integer o; 0 <= o < f.height ==>
          \separated(column + (0 .. f.k + f.height - 1), ws,
                     f.weight + (row(o, f.width) .. row(o, f.width) + f.k - 1)) &&
          \separated(maps + (0 .. row(f.height, d) - 1),
                     f.weight + (row(o, f.width) .. row(o, f.width) + f.k - 1)); */
    /*@ assert output_points: f.weight != \null ==> \forall integer o; 0 <= o < f.height ==>
          points{Pre}(f.weight + row(o, f.width), f.k) ==> points(f.weight + row(o, f.width), f.k); */
    //@ assert readable: head_output_readable(f);
    /*@ assert same_rows: f.weight != \null ==> \forall integer o; 0 <= o < f.height ==>
          same_points{Pre, Here}(f.weight + row(o, f.width), f.k); */
    /*@ assert output_rows: f.weight != \null ==> \forall rvec x, integer o; 0 <= o < f.height ==>
          is_vec{Pre}(f.weight + row(o, f.width), x, 0, f.k) ==> is_vec(f.weight + row(o, f.width), x, 0, f.k); */
    //@ assert output: f.weight != \null ==> \forall rvec w; is_output{Pre}(f, w) ==> is_output(f, w);
    /*@ assert weights: \forall rvec u; weights_are{Pre}(weight, u, row(f.k, d)) ==>
          weights_are(weight, u, row(f.k, d)); */
    //@ assert finite: finite_weights(weight, row(f.k, d));
    //@ assert live_parts: live_vec(column, f.k) && live_vec(column + f.k, f.height);
    fill_column(maps, weight, c, d, f, column, column + f.k, ws);
    //@ assert column: column_pushed{Pre, Here}(maps, weight, d, f, c);
    /*@ assert others_kept: \forall integer q, rvec z; 0 <= q < c ==> in_column{Before}(maps, d, q, z, f.height) ==>
          in_column(maps, d, q, z, f.height); */
    //@ assert columns_kept: \forall integer q; 0 <= q < c ==> column_kept{Before, Here}(maps, d, q, f.height);
    //@ assert earlier: \forall integer q; 0 <= q < c ==> column_pushed{Pre, Before}(maps, weight, d, f, q);
    //@ assert others_pushed: \forall integer q; 0 <= q < c ==> column_pushed{Pre, Here}(maps, weight, d, f, q);
    //@ assert others: maps_enclose{Pre, Here}(maps, weight, d, f, c);
  }
}
