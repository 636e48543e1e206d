#include "certify/explicit/token_maps.h"

void token_gradients(interval *g, interval *h, token_sources s, interval_scratch *ws) {
  gradient_enclosure(g, s.query, s.key_weight, s.root, s.k, s.d, ws);
  //@ ghost First:;
  //@ assert first: gradient_in{Pre, Here}(g, s.query, s.key_weight, s.root, s.k, s.d);
  //@ assert key: kept{Pre, Here}(s.key, 0, s.k);
  //@ assert key_vector: \forall rvec x; in_vec{Pre}(s.key, x, 0, s.k) ==> in_vec(s.key, x, 0, s.k);
  //@ assert root: \forall real r; in{Pre}(s.root, r) ==> in(s.root, r);
  //@ assert inside: \forall integer c; 0 <= c < s.d ==> 0 <= row(c, s.k) && row(c, s.k) + s.k <= row(s.d, s.k);
  /*@ assert row_points: \forall integer c; 0 <= c < s.d ==> points{Pre}(s.query_weight + row(c, s.k), s.k) ==>
        points(s.query_weight + row(c, s.k), s.k); */
  /*@ assert row_entries: \forall rvec w, integer c; 0 <= c < s.d ==>
        is_vec{Pre}(s.query_weight + row(c, s.k), w, 0, s.k) ==> is_vec(s.query_weight + row(c, s.k), w, 0, s.k); */
  //@ assert points: rows_of_points(s.query_weight, s.k, s.d);
  /*@ assert weight: \forall rvec w; is_transposed{Pre}(s.query_weight, w, s.k, s.d) ==>
        is_transposed(s.query_weight, w, s.k, s.d); */
  gradient_enclosure(h, s.key, s.query_weight, s.root, s.k, s.d, ws);
  //@ assert same: kept{First, Here}(g, 0, s.d);
  //@ assert same_vector: \forall rvec x; in_vec{First}(g, x, 0, s.d) ==> in_vec(g, x, 0, s.d);
}

void token_outputs(interval *value, interval *mean, const interval *v, const interval *y, head_output f,
                   interval_scratch *ws) {
  head_output_push(value, v, f, ws);
  //@ ghost First:;
  //@ assert first: output_in{Pre, Here}(value, v, f);
  //@ assert y: kept{Pre, Here}(y, 0, f.k);
  //@ assert y_vector: \forall rvec z; in_vec{Pre}(y, z, 0, f.k) ==> in_vec(y, z, 0, f.k);
  /*@ assert output_row: f.weight != \null ==> \forall integer o; 0 <= o < f.height ==>
        \separated(value + (0 .. f.height - 1), ws,
                   f.weight + (row(o, f.width) .. row(o, f.width) + f.k - 1)); */
  /*@ assert output_points: f.weight != \null ==> \forall integer o; 0 <= o < f.height ==>
        points{Pre}(f.weight + row(o, f.width), f.k) ==> points(f.weight + row(o, f.width), f.k); */
  //@ assert readable: head_output_readable(f);
  /*@ assert output_rows: f.weight != \null ==> \forall rvec x, integer o; 0 <= o < f.height ==>
        is_vec{Pre}(f.weight + row(o, f.width), x, 0, f.k) ==> is_vec(f.weight + row(o, f.width), x, 0, f.k); */
  //@ assert output: f.weight != \null ==> \forall rvec w; is_output{Pre}(f, w) ==> is_output(f, w);
  head_output_push(mean, y, f, ws);
  //@ assert same: kept{First, Here}(value, 0, f.height);
  //@ assert same_vector: \forall rvec z; in_vec{First}(value, z, 0, f.height) ==> in_vec(value, z, 0, f.height);
}
