#include "certify/explicit/token_maps.h"

/* g contains K^T q_i / root, h contains Q^T k_i / root. */
/*@ requires sides: side(s.k) && side(s.d);
    requires room: \valid(g + (0 .. s.d - 1)) && \valid(h + (0 .. s.d - 1)) && \valid(ws);
    requires live: live_vec(g, s.d) && live_vec(h, s.d) && live_scratch(ws);
    requires readable: token_sources_readable(s);
    requires apart: token_sources_outside(s, g, h, ws);
    terminates \true;
    assigns g[0 .. s.d - 1], h[0 .. s.d - 1], *ws;
    ensures g: gradient_in{Pre, Post}(g, s.query, s.key_weight, s.root, s.k, s.d);
    ensures h: gradient_in{Pre, Post}(h, s.key, s.query_weight, s.root, s.k, s.d); */
static void token_gradients(interval *g, interval *h, token_sources s, interval_scratch *ws) {
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

/* value contains what W_O makes of v, and mean what it makes of y. */
/*@ requires sides: side(f.k) && side(f.height) && side(f.width);
    requires output: head_output_readable(f);
    requires valid: \valid(value + (0 .. f.height - 1)) && \valid(mean + (0 .. f.height - 1)) && \valid(ws) &&
      \valid_read(v + (0 .. f.k - 1)) && \valid_read(y + (0 .. f.k - 1));
    requires live: live_vec(value, f.height) && live_vec(mean, f.height) && live_scratch(ws) && live_vec(v, f.k) &&
      live_vec(y, f.k);
    requires separated: \separated(value + (0 .. f.height - 1), mean + (0 .. f.height - 1), ws, v + (0 .. f.k - 1)) &&
      \separated(value + (0 .. f.height - 1), mean + (0 .. f.height - 1), ws, y + (0 .. f.k - 1));
    requires apart: head_output_outside(f, value, f.height, ws);
    requires apart_mean: head_output_outside(f, mean, f.height, ws);
    terminates \true;
    assigns value[0 .. f.height - 1], mean[0 .. f.height - 1], *ws;
    ensures value: output_in{Pre, Post}(value, v, f);
    ensures mean: output_in{Pre, Post}(mean, y, f); */
static void token_outputs(interval *value, interval *mean, const interval *v, const interval *y, head_output f,
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

void token_maps_fill(token_maps m, token_sources s, const interval *v, const interval *y, head_output f,
                     interval_scratch *ws) {
  token_gradients(m.g, m.h, s, ws);
  //@ ghost Gradients:;
  //@ assert g: gradient_in{Pre, Here}(m.g, s.query, s.key_weight, s.root, s.k, s.d);
  //@ assert h: gradient_in{Pre, Here}(m.h, s.key, s.query_weight, s.root, s.k, s.d);
  //@ assert same_v: kept{Pre, Here}(v, 0, f.k);
  //@ assert same_y: kept{Pre, Here}(y, 0, f.k);
  /*@ assert output_row: f.weight != \null ==> \forall integer o; 0 <= o < f.height ==>
        \separated(m.g + (0 .. s.d - 1), ws, f.weight + (row(o, f.width) .. row(o, f.width) + f.k - 1)) &&
        \separated(m.h + (0 .. s.d - 1), ws, f.weight + (row(o, f.width) .. row(o, f.width) + f.k - 1)); */
  /*@ assert output_points: f.weight != \null ==> \forall integer o; 0 <= o < f.height ==>
        points{Pre}(f.weight + row(o, f.width), f.k) ==> points(f.weight + row(o, f.width), f.k); */
  //@ assert readable: head_output_readable(f);
  /*@ assert output_rows: f.weight != \null ==> \forall rvec x, integer o; 0 <= o < f.height ==>
        is_vec{Pre}(f.weight + row(o, f.width), x, 0, f.k) ==> is_vec(f.weight + row(o, f.width), x, 0, f.k); */
  //@ assert output: f.weight != \null ==> \forall rvec w; is_output{Pre}(f, w) ==> is_output(f, w);
  //@ assert v: \forall rvec z; in_vec{Pre}(v, z, 0, f.k) ==> in_vec(v, z, 0, f.k);
  //@ assert y: \forall rvec z; in_vec{Pre}(y, z, 0, f.k) ==> in_vec(y, z, 0, f.k);
  token_outputs(m.value, m.mean, v, y, f, ws);
  //@ assert same_g: kept{Gradients, Here}(m.g, 0, s.d);
  //@ assert same_h: kept{Gradients, Here}(m.h, 0, s.d);
  //@ assert g_vector: \forall rvec z; in_vec{Gradients}(m.g, z, 0, s.d) ==> in_vec(m.g, z, 0, s.d);
  //@ assert h_vector: \forall rvec z; in_vec{Gradients}(m.h, z, 0, s.d) ==> in_vec(m.h, z, 0, s.d);
}
