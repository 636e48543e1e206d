#include "certify/explicit/transposed_weight.h"

#include "certify/enclosure/block_offset.h"
#include "kernel/linear/index.h"

/* Column c of w as a row. */
/*@ requires sides: side(k) && side(d) && 0 <= c < d;
    requires valid: \valid(out + (0 .. k - 1)) && \valid_read(w + (0 .. row(k, d) - 1));
    requires live: live_points(out, k);
    requires separated: \separated(out + (0 .. k - 1), w + (0 .. row(k, d) - 1));
    requires precise: precise_points(out, k);
    requires finite: finite_weights(w, row(k, d));
    terminates \true;
    assigns out[0 .. k - 1];
    ensures points: points(out, k);
    ensures column: \forall rvec x; weights_are{Pre}(w, x, row(k, d)) ==> is_vec(out, matrix_column(x, d, c), 0, k);
    ensures precise: precise_points(out, k); */
static void transpose_column(point *out, const double *w, int c, int k, int d) {
  /*@ loop invariant range: 0 <= r <= k;
      loop invariant points: points(out, r);
      loop invariant column: \forall rvec x; weights_are{Pre}(w, x, row(k, d)) ==>
        is_vec(out, matrix_column(x, d, c), 0, r);
      loop invariant precise: precise_points(out, k);
      loop assigns r, out[0 .. k - 1];
      loop variant k - r; */
  for (int r = 0; r < k; r++) {
    const int from = row_offset(r, d, k) + c;
    //@ ghost Before:;
    //@ assert inside: 0 <= from < row(k, d);
    //@ assert finite: finite_double(w[from]) && w[from] == \at(w[\at(from, Here)], Pre);
    /*@ assert member: \forall rvec x; weights_are{Pre}(w, x, row(k, d)) ==> w[from] ==
          entry(matrix_column(x, d, c), r); */
    mpfr_set_d(out[r].v, w[from], MPFR_RNDN);
    //@ assert exact: number(&(out + r)->v[0]) && value(&(out + r)->v[0]) == \at(w[\at(from, Here)], Before);
    //@ assert below: same_points{Before, Here}(out, r);
    /*@ assert precision: \forall integer t; 0 <= t < k ==> precision(&(out + t)->v[0]) ==
          precision{Before}(&(out + t)->v[0]); */
  }
}

/* The transpose of one head's weights. */
/*@ requires sides: side(k) && side(d);
    requires valid: \valid(out + (0 .. row(d, k) - 1)) && \valid_read(w + (0 .. row(k, d) - 1));
    requires live: live_points(out, row(d, k));
    requires separated: \separated(out + (0 .. row(d, k) - 1), w + (0 .. row(k, d) - 1));
    requires precise: precise_points(out, row(d, k));
    requires finite: finite_weights(w, row(k, d));
    terminates \true;
    assigns out[0 .. row(d, k) - 1];
    ensures points: rows_of_points(out, k, d);
    ensures transposed: \forall rvec x; weights_are{Pre}(w, x, row(k, d)) ==> is_transposed(out, x, k, d);
    ensures precise: precise_points(out, row(d, k)); */
static void transpose(point *out, const double *w, int k, int d) {
  /*@ loop invariant range: 0 <= c <= d;
      loop invariant points: \forall integer q; 0 <= q < c ==> points(out + row(q, k), k);
      loop invariant transposed: \forall rvec x; weights_are{Pre}(w, x, row(k, d)) ==>
        \forall integer q; 0 <= q < c ==> is_vec(out + row(q, k), matrix_column(x, d, q), 0, k);
      loop invariant precise: precise_points(out, row(d, k));
      loop assigns c, out[0 .. row(d, k) - 1];
      loop variant d - c; */
  for (int c = 0; c < d; c++) {
    const int start = row_offset(c, k, d);
    //@ ghost Before:;
    //@ assert inside: 0 <= start && start + k <= row(d, k);
    //@ assert live_room: live_points(out + start, k);
    //@ assert precise_room: precise_points(out + start, k);
    //@ assert weights: \forall rvec x; weights_are{Pre}(w, x, row(k, d)) ==> weights_are(w, x, row(k, d));
    //@ assert finite: finite_weights(w, row(k, d));
    transpose_column(out + start, w, c, k, d);
    //@ assert column_points: points(out + row(c, k), k);
    /*@ assert column: \forall rvec x; weights_are{Pre}(w, x, row(k, d)) ==>
          is_vec(out + row(c, k), matrix_column(x, d, c), 0, k); */
    /*@ assert precision: \forall integer t; 0 <= t < start || start + k <= t < row(d, k) ==>
          precision(&(out + t)->v[0]) == precision{Before}(&(out + t)->v[0]); */
    //@ assert below: same_points{Before, Here}(out, start);
    //@ assert inside_below: \forall integer q; 0 <= q < c ==> 0 <= row(q, k) && row(q, k) + k <= start;
    /*@ assert points_below: \forall integer q; 0 <= q < c ==> points(out + row(q, k), k); */
    /*@ assert same_rows: \forall rvec y, integer q; 0 <= q < c ==> is_vec{Before}(out + row(q, k), y, 0, k) ==>
          is_vec(out + row(q, k), y, 0, k); */
    /*@ assert columns_below: \forall rvec x, integer q; weights_are{Pre}(w, x, row(k, d)) ==> 0 <= q < c ==>
          is_vec(out + row(q, k), matrix_column(x, d, q), 0, k); */
    //@ assert precise_here: \forall integer t; start <= t < start + k ==> 53 <= precision(&(out + t)->v[0]);
    /*@ assert precise_others: \forall integer t; 0 <= t < start || start + k <= t < row(d, k) ==>
          53 <= precision(&(out + t)->v[0]); */
  }
}

void transposed_weight_load(point *out, const double *weight, int heads, int head_dim, int dim) {
  const int size = row_offset(dim, head_dim, dim);
  //@ assert size: row(dim, head_dim) == size && row(head_dim, dim) == size;
  //@ assert square: 0 <= size <= DIM_MAX * DIM_MAX;
  /*@ loop invariant range: 0 <= h <= heads;
      loop invariant points: heads_of_points(out, h, head_dim, dim);
      loop invariant transposed: \forall rvec x; weights_are{Pre}(weight, x, row(heads, size)) ==>
        heads_transposed(out, x, h, head_dim, dim);
      loop invariant precise: precise_points(out, row(heads, size));
      loop assigns h, out[0 .. row(heads, size) - 1];
      loop variant heads - h; */
  for (int h = 0; h < heads; h++) {
    const size_t start = block_offset((size_t)h, (size_t)size);
    //@ ghost Before:;
    /*@ assert start: start == row(h, size) && row(h, row(head_dim, dim)) == start &&
          row(h, row(dim, head_dim)) == start; */
    //@ assert inside: 0 <= start && start + size <= row(heads, size);
    //@ assert live_room: live_points(out + start, size);
    //@ assert precise_room: precise_points(out + start, size);
    /*@ assert weights: \forall rvec x; weights_are{Pre}(weight, x, row(heads, size)) ==>
          weights_are(weight, x, row(heads, size)); */
    /*@ assert part: \forall rvec x; weights_are(weight, x, row(heads, size)) ==>
          weights_are(weight + start, head_weights(x, head_dim, dim, h), size); */
    //@ assert finite: finite_weights(weight, row(heads, size));
    //@ assert finite_part: finite_weights(weight + start, size);
    transpose(out + start, weight + start, head_dim, dim);
    //@ assert head_points: rows_of_points(out + row(h, size), head_dim, dim);
    /*@ assert head: \forall rvec x; weights_are{Pre}(weight, x, row(heads, size)) ==>
          is_transposed(out + row(h, size), head_weights(x, head_dim, dim, h), head_dim, dim); */
    //@ assert below: same_points{Before, Here}(out, start);
    //@ assert inside_below: \forall integer q; 0 <= q < h ==> 0 <= row(q, size) && row(q, size) + size <= start;
    /*@ assert same_head_points: \forall integer q; 0 <= q < h ==>
          rows_of_points{Before}(out + row(q, size), head_dim, dim) ==>
          rows_of_points(out + row(q, size), head_dim, dim); */
    /*@ assert points_below: \forall integer q; 0 <= q < h ==> rows_of_points(out + row(q, size), head_dim, dim); */
    /*@ assert same_heads: \forall rvec y, integer q; 0 <= q < h ==>
          is_transposed{Before}(out + row(q, size), y, head_dim, dim) ==>
          is_transposed(out + row(q, size), y, head_dim, dim); */
    /*@ assert heads_below: \forall rvec x, integer q; weights_are{Pre}(weight, x, row(heads, size)) ==> 0 <= q < h ==>
          is_transposed(out + row(q, size), head_weights(x, head_dim, dim, q), head_dim, dim); */
    //@ assert precise_here: \forall integer t; start <= t < start + size ==> 53 <= precision(&(out + t)->v[0]);
    /*@ assert precise_others: \forall integer t; 0 <= t < start || start + size <= t < row(heads, size) ==>
          53 <= precision(&(out + t)->v[0]); */
  }
}
