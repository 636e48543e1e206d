/* The theorem about the layer in intervals: from intervals of the query q_i, the keys, the values and the weights to
 * row r of the blocks (i, 0) .. (i, n - 1) of one head's Jacobian, by the functions of src/certify/enclosure/.
 *
 *   For all real inputs in the input intervals, the entries of the real Jacobian are in the output intervals.
 *
 * real_jacobian_block (spec/real/real_jacobian.acsl) is the whole formula: weights of the scores, mean, gradients,
 * block. n is the number of positions that token i attends to, i + 1 under the causal mask.
 *
 * No program calls this function: it is here to show that their contracts together make up the formula. The certifier
 * makes the same calls, for all tokens and rows, in layer_enclosure.c and explicit_jacobian_blocks.c; where there is an
 * output matrix W_O, it puts W_O v_j, W_O y_i and W_O V in place of v_j, y_i and V before the last of them. */
#include "certify/enclosure/attention_enclosure.h"
#include "certify/enclosure/jacobian_enclosure.h"
#include "interval/interval_set.h"
#include "kernel/linear/index.h"

#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_theorem.acsl"

/*@ predicate encloses_gradients{L1, L2}(interval *h, interval *zs, point *transposed, interval *root, integer n,
    integer k,
                                         integer d, integer j) =
      \forall rvec m, w, real s; 0.0 < s ==> in{L1}(root, s) ==> in_vec{L1}(zs, m, 0, row(n, k)) ==>
      is_transposed{L1}(transposed, w, k, d) ==>
      \forall integer q, c; 0 <= q < j ==> 0 <= c < d ==>
      in_cell{L2}(h, d, q, c, entry(real_gradient(matrix_row(m, k, q), w, s, k, d), c)); */

/* Row j of h contains W^T z_j / root, for the rows z_j of zs. */
/*@ requires sides: side(n) && side(k) && side(d);
    requires valid: \valid(h + (0 .. row(n, d) - 1)) && \valid_read(zs + (0 .. row(n, k) - 1)) && \valid_read(root);
    requires valid_weight: \valid(ws) && \valid_read(transposed + (0 .. row(d, k) - 1));
    requires live: live_vec(h, row(n, d)) && live_vec(zs, row(n, k)) && live(root) && live_scratch(ws) &&
      live_points(transposed, row(d, k));
    requires points: rows_of_points(transposed, k, d);
    requires separated: \separated(h + (0 .. row(n, d) - 1), ws, zs + (0 .. row(n, k) - 1), root);
    requires separated_weight: \separated(h + (0 .. row(n, d) - 1), ws, transposed + (0 .. row(d, k) - 1));
    terminates \true;
    assigns h[0 .. row(n, d) - 1], *ws;
    ensures contains: encloses_gradients{Pre, Post}(h, zs, transposed, root, n, k, d, n); */
static void gradients_enclosure(interval *h, const interval *zs, const point *transposed, const interval *root, int n,
                                int k, int d, interval_scratch *ws) {
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant contains: encloses_gradients{Pre, Here}(h, zs, transposed, root, n, k, d, j);
      loop assigns j, h[0 .. row(n, d) - 1], *ws;
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    const int start = row_offset(j, d, n), from = row_offset(j, k, n);
    //@ ghost Before:;
    //@ assert inside: 0 <= start && start + d <= row(n, d) && 0 <= from && from + k <= row(n, k);
    //@ assert rows: kept{Pre, Here}(zs, 0, row(n, k));
    //@ assert row: kept{Pre, Here}(zs + from, 0, k);
    //@ assert divisor: \forall real s; in{Pre}(root, s) ==> in(root, s);
    /*@ assert vector: \forall rvec m; in_vec{Pre}(zs, m, 0, row(n, k)) ==>
          in_vec{Pre}(zs + from, matrix_row(m, k, j), 0, k); */
    /*@ assert vector_here: \forall rvec m; in_vec{Pre}(zs, m, 0, row(n, k)) ==>
          in_vec(zs + from, matrix_row(m, k, j), 0, k); */
    //@ assert weight_inside: \forall integer c; 0 <= c < d ==> 0 <= row(c, k) && row(c, k) + k <= row(d, k);
    /*@ assert row_points: \forall integer c; 0 <= c < d ==> points{Pre}(transposed + row(c, k), k) ==>
        points(transposed + row(c, k), k); */
    /*@ assert row_entries: \forall rvec w, integer c; 0 <= c < d ==>
        is_vec{Pre}(transposed + row(c, k), w, 0, k) ==> is_vec(transposed + row(c, k), w, 0, k); */
    //@ assert points: rows_of_points(transposed, k, d);
    //@ assert weight: \forall rvec w; is_transposed{Pre}(transposed, w, k, d) ==> is_transposed(transposed, w, k, d);
    gradient_enclosure(h + start, zs + from, transposed, root, k, d, ws);
    /*@ assert gradient: \forall rvec m, w, real s; 0.0 < s ==> in{Pre}(root, s) ==>
          in_vec{Pre}(zs, m, 0, row(n, k)) ==> is_transposed{Pre}(transposed, w, k, d) ==>
          in_vec(h + start, real_gradient(matrix_row(m, k, j), w, s, k, d), 0, d); */
    /*@ assert entries: \forall rvec x; in_vec(h + start, x, 0, d) ==>
          \forall integer c; 0 <= c < d ==> entry_in(h + start, c, entry(x, c)); */
    /*@ assert cells: \forall integer c, real s; entry_in(h + start, c, s) ==> in_cell(h, d, j, c, s); */
    /*@ assert here: \forall rvec m, w, real s; 0.0 < s ==> in{Pre}(root, s) ==>
          in_vec{Pre}(zs, m, 0, row(n, k)) ==> is_transposed{Pre}(transposed, w, k, d) ==>
          \forall integer c; 0 <= c < d ==>
          in_cell(h, d, j, c, entry(real_gradient(matrix_row(m, k, j), w, s, k, d), c)); */
    //@ assert below: kept{Before, Here}(h, 0, start);
    /*@ assert others: \forall integer q, c, real s; 0 <= q < j ==> 0 <= c < d ==>
          in_cell{Before}(h, d, q, c, s) ==> in_cell(h, d, q, c, s); */
  }
}

/*@ requires sides: side(n) && side(d);
    requires valid: \valid(rows + (0 .. row(n, d) - 1));
    requires live: live_vec(rows, row(n, d));
    terminates \true;
    assigns rows[0 .. row(n, d) - 1];
    ensures zero: \forall integer t; 0 <= t < row(n, d) ==> in(rows + t, 0.0);
    ensures frame: \forall interval_scratch *ws; keeps{Pre, Post}(rows, row(n, d), ws); */
static void set_zero(interval *rows, int n, int d) {
  const int count = row_offset(n, d, n);
  /*@ loop invariant range: 0 <= t <= count;
      loop invariant zero: \forall integer c; 0 <= c < t ==> in(rows + c, 0.0);
      loop assigns t, rows[0 .. count - 1];
      loop variant count - t; */
  for (int t = 0; t < count; t++) {
    //@ ghost Before:;
    interval_set_zero(&rows[t]);
    //@ assert others: kept{Before, Here}(rows, 0, t);
  }
}

/* g contains K^T q / root, and the rows of h Q^T k_j / root. */
/*@ requires sides: side(n) && side(k) && side(d);
    requires valid: \valid(g + (0 .. d - 1)) && \valid(h + (0 .. row(n, d) - 1)) && \valid(ws);
    requires valid_inputs: \valid_read(q + (0 .. k - 1)) && \valid_read(keys + (0 .. row(n, k) - 1)) &&
      \valid_read(root);
    requires valid_weights: \valid_read(key_weight + (0 .. row(d, k) - 1)) &&
                            \valid_read(query_weight + (0 .. row(d, k) - 1));
    requires live: live_vec(g, d) && live_vec(h, row(n, d)) && live_scratch(ws) && live_vec(q, k) &&
      live_vec(keys, row(n, k)) && live(root) && live_points(key_weight, row(d, k)) &&
      live_points(query_weight, row(d, k));
    requires points: rows_of_points(key_weight, k, d) && rows_of_points(query_weight, k, d);
    requires apart: \separated(g + (0 .. d - 1), h + (0 .. row(n, d) - 1), ws, q + (0 .. k - 1), root);
    requires apart_keys: \separated(h + (0 .. row(n, d) - 1), ws, keys + (0 .. row(n, k) - 1), root);
    requires apart_key_weight: \separated(g + (0 .. d - 1), h + (0 .. row(n, d) - 1), ws,
      key_weight + (0 .. row(d, k) - 1));
    requires apart_query_weight: \separated(h + (0 .. row(n, d) - 1), ws, query_weight + (0 .. row(d, k) - 1));
    terminates \true;
    assigns g[0 .. d - 1], h[0 .. row(n, d) - 1], *ws;
    ensures gradient: \forall rvec x, m, wq, wk, real s;
      are_sources{Pre}(q, keys, key_weight, query_weight, root, x, m, wq, wk, s, n, k, d) ==>
        in_vec(g, real_gradient(x, wk, s, k, d), 0, d);
    ensures gradients: \forall rvec x, m, wq, wk, real s;
      are_sources{Pre}(q, keys, key_weight, query_weight, root, x, m, wq, wk, s, n, k, d) ==>
        in_matrix(h, real_gradients(m, wq, s, k, d), n, d);
    ensures root: \forall real s; in{Pre}(root, s) ==> in(root, s);
    ensures frame: keeps_two{Pre, Post}(g, d, h, row(n, d), ws); */
static void both_gradients_enclosure(interval *g, interval *h, const interval *q, const interval *keys,
                                     const point *key_weight, const point *query_weight, const interval *root, int n,
                                     int k, int d, interval_scratch *ws) {
  gradients_enclosure(h, keys, query_weight, root, n, k, d, ws);
  //@ ghost Gradients:;
  //@ assert frame_gradients: keeps_two{Pre, Here}(g, d, h, row(n, d), ws);
  /*@ assert h: \forall rvec x, m, wq, wk, real s;
      are_sources{Pre}(q, keys, key_weight, query_weight, root, x, m, wq, wk, s, n, k, d) ==>
        in_matrix(h, real_gradients(m, wq, s, k, d), n, d); */
  //@ assert frame_h: keeps{Pre, Here}(h, row(n, d), ws);
  //@ assert query: kept{Pre, Here}(q, 0, k);
  //@ assert divisor: \forall real s; in{Pre}(root, s) ==> in(root, s);
  //@ assert inside: \forall integer c; 0 <= c < d ==> 0 <= row(c, k) && row(c, k) + k <= row(d, k);
  /*@ assert row_points: \forall integer c; 0 <= c < d ==> points{Pre}(key_weight + row(c, k), k) ==>
        points(key_weight + row(c, k), k); */
  /*@ assert row_entries: \forall rvec w, integer c; 0 <= c < d ==> is_vec{Pre}(key_weight + row(c, k), w, 0, k) ==>
        is_vec(key_weight + row(c, k), w, 0, k); */
  //@ assert points: rows_of_points(key_weight, k, d);
  //@ assert weight: \forall rvec w; is_transposed{Pre}(key_weight, w, k, d) ==> is_transposed(key_weight, w, k, d);
  //@ assert vector: \forall rvec x; in_vec{Pre}(q, x, 0, k) ==> in_vec(q, x, 0, k);
  gradient_enclosure(g, q, key_weight, root, k, d, ws);
  //@ assert divisor_here: \forall real s; in{Gradients}(root, s) ==> in(root, s);
  //@ assert frame_g: keeps{Gradients, Here}(g, d, ws);
  //@ assert same: kept{Gradients, Here}(h, 0, row(n, d));
  /*@ assert same_cells: \forall integer j, c, real s; 0 <= j < n ==> 0 <= c < d ==>
      in_cell{Gradients}(h, d, j, c, s) ==>
        in_cell(h, d, j, c, s); */
  /*@ assert same_matrix: \forall rvec m; in_matrix{Gradients}(h, m, n, d) ==> in_matrix(h, m, n, d); */
}

/* The theorem. rows: row r of the n blocks, n x d. p, y, g, h and w are room for the quantities on the way; weight is
 * row r of the value weights. */
/*@ requires sides: side(n) && side(k) && side(d) && 0 <= i < n && 0 <= r < k && 1 <= precision;
    requires valid: \valid(rows + (0 .. row(n, d) - 1)) && \valid(p + (0 .. n - 1)) && \valid(y + (0 .. k - 1));
    requires valid_gradients: \valid(g + (0 .. d - 1)) && \valid(h + (0 .. row(n, d) - 1));
    requires valid_scratch: \valid(w) && \valid(ws);
    requires valid_inputs: \valid_read(q + (0 .. k - 1)) && \valid_read(keys + (0 .. row(n, k) - 1)) &&
                           \valid_read(values + (0 .. row(n, k) - 1)) && \valid_read(root);
    requires valid_weights: \valid_read(key_weight + (0 .. row(d, k) - 1)) &&
                            \valid_read(query_weight + (0 .. row(d, k) - 1)) && \valid_read(weight + (0 .. d - 1));
    requires live: live_vec(rows, row(n, d)) && live_vec(p, n) && live_vec(y, k) && live_vec(g, d) &&
      live_vec(h, row(n, d)) && live(w) && live_scratch(ws) && live_vec(q, k) && live_vec(keys, row(n, k)) &&
      live_vec(values, row(n, k)) && live(root) && live_points(key_weight, row(d, k)) &&
      live_points(query_weight, row(d, k)) && live_vec(weight, d);
    requires points: rows_of_points(key_weight, k, d) && rows_of_points(query_weight, k, d);
    requires apart: \separated(rows + (0 .. row(n, d) - 1), w, ws, p + (0 .. n - 1), weight + (0 .. d - 1));
    requires apart_mean: \separated(rows + (0 .. row(n, d) - 1), w, ws, values + (0 .. row(n, k) - 1), y + (0 .. k - 1),
                                    p + (0 .. n - 1));
    requires apart_gradients: \separated(rows + (0 .. row(n, d) - 1), w, ws, g + (0 .. d - 1),
      h + (0 .. row(n, d) - 1));
    requires apart_row: \separated(p + (0 .. n - 1), y + (0 .. k - 1), g + (0 .. d - 1), h + (0 .. row(n, d) - 1), ws);
    requires apart_query: \separated(p + (0 .. n - 1), y + (0 .. k - 1), ws, q + (0 .. k - 1));
    requires apart_keys: \separated(p + (0 .. n - 1), y + (0 .. k - 1), ws, keys + (0 .. row(n, k) - 1));
    requires apart_root: \separated(p + (0 .. n - 1), y + (0 .. k - 1), ws, root);
    requires apart_values: \separated(p + (0 .. n - 1), y + (0 .. k - 1), g + (0 .. d - 1), h + (0 .. row(n, d) - 1),
      ws,
                                      values + (0 .. row(n, k) - 1));
    requires apart_weight: \separated(y + (0 .. k - 1), g + (0 .. d - 1), h + (0 .. row(n, d) - 1),
      weight + (0 .. d - 1));
    requires apart_inputs: \separated(g + (0 .. d - 1), h + (0 .. row(n, d) - 1), ws, q + (0 .. k - 1), root);
    requires apart_rows: \separated(g + (0 .. d - 1), h + (0 .. row(n, d) - 1), ws, keys + (0 .. row(n, k) - 1), root);
    requires apart_key_weight: \separated(g + (0 .. d - 1), h + (0 .. row(n, d) - 1), ws,
      key_weight + (0 .. row(d, k) - 1));
    requires apart_query_weight: \separated(g + (0 .. d - 1), h + (0 .. row(n, d) - 1), ws,
                                            query_weight + (0 .. row(d, k) - 1));
    terminates \true;
    assigns rows[0 .. row(n, d) - 1], p[0 .. n - 1], y[0 .. k - 1], g[0 .. d - 1], h[0 .. row(n, d) - 1], *w, *ws,
      mpfr_lives;
    ensures theorem: \forall rvec x, m, v, wq, wk, wv, real s;
      are_inputs{Pre}(q, keys, values, key_weight, query_weight, weight, root, x, m, v, wq, wk, wv, s, n, k, d, r) ==>
      \forall integer l, c; 0 <= l < n ==> 0 <= c < d ==>
      in_cell(rows, d, l, c, real_jacobian_block(x, m, v, wq, wk, wv, s, k, d, n, i, l, r, c)); */
void jacobian_row_theorem(interval *rows, interval *p, interval *y, interval *g, interval *h, const interval *q,
                          const interval *keys, const interval *values, const point *key_weight,
                          const point *query_weight, const interval *weight, const interval *root, int n, int k, int d,
                          int i, int r, mpfr_prec_t precision, interval *w, interval_scratch *ws) {
  const attention_row attended = {.n = n, .k = k, .q = q, .keys = keys, .values = values, .root = root};
  const jacobian_row factors = {.n = n,
                                .k = k,
                                .d = d,
                                .i = i,
                                .r = r,
                                .p = p,
                                .values = values,
                                .mean = &y[r],
                                .weight = weight,
                                .g = g,
                                .h = h};
  both_gradients_enclosure(g, h, q, keys, key_weight, query_weight, root, n, k, d, ws);
  //@ ghost Gradients:;
  /*@ assert gradient: \forall rvec x, m, v, wq, wk, wv, real s;
      are_inputs{Pre}(q, keys, values, key_weight, query_weight, weight, root, x, m, v, wq, wk, wv, s, n, k, d, r) ==>
        in_vec(g, real_gradient(x, wk, s, k, d), 0, d); */
  /*@ assert gradients: \forall rvec x, m, v, wq, wk, wv, real s;
      are_inputs{Pre}(q, keys, values, key_weight, query_weight, weight, root, x, m, v, wq, wk, wv, s, n, k, d, r) ==>
        in_matrix(h, real_gradients(m, wq, s, k, d), n, d); */
  //@ assert q: kept{Pre, Here}(q, 0, k);
  //@ assert keys: kept{Pre, Here}(keys, 0, row(n, k));
  //@ assert values: kept{Pre, Here}(values, 0, row(n, k));
  //@ assert weight: kept{Pre, Here}(weight, 0, d);
  //@ assert root: \forall real s; in{Pre}(root, s) ==> in(root, s);
  /*@ assert inputs: \forall rvec x, m, v, wq, wk, wv, real s;
      are_inputs{Pre}(q, keys, values, key_weight, query_weight, weight, root, x, m, v, wq, wk, wv, s, n, k, d, r) ==>
        0.0 < s && in(root, s) && in_vec(q, x, 0, k) && in_vec(keys, m, 0, row(n, k)) &&
          in_vec(values, v, 0, row(n, k)); */
  attention_row_enclosure(p, y, attended, precision, ws);
  //@ ghost Row:;
  //@ assert live_rows: live_vec(rows, row(n, d));
  //@ assert live_weights: live_vec(p, n) && live_vec(values, row(n, k)) && live_vec(weight, d);
  //@ assert live_mean: live_vec(y, k);
  //@ assert live_gradients: live_vec(g, d) && live_vec(h, row(n, d));
  //@ assert live_room: live(w) && live_scratch(ws);
  //@ assert frame_row: keeps_two{Gradients, Here}(p, n, y, k, ws);
  /*@ assert attention: \forall rvec x, m, v, wq, wk, wv, real s;
      are_inputs{Pre}(q, keys, values, key_weight, query_weight, weight, root, x, m, v, wq, wk, wv, s, n, k, d, r) ==>
        in_vec(p, real_attention(x, m, s, k, n), 0, n) &&
        in_vec(y, real_mean(real_attention(x, m, s, k, n), v, k, n), 0, k); */
  //@ assert row_g: kept{Gradients, Here}(g, 0, d);
  //@ assert row_h: kept{Gradients, Here}(h, 0, row(n, d));
  //@ assert row_values: kept{Gradients, Here}(values, 0, row(n, k));
  //@ assert row_weight: kept{Gradients, Here}(weight, 0, d);
  set_zero(rows, n, d);
  //@ assert frame_zero: keeps{Row, Here}(rows, row(n, d), ws);
  //@ assert zero_p: kept{Row, Here}(p, 0, n);
  //@ assert zero_y: kept{Row, Here}(y, 0, k);
  //@ assert zero_g: kept{Row, Here}(g, 0, d);
  //@ assert zero_h: kept{Row, Here}(h, 0, row(n, d));
  //@ assert zero_values: kept{Row, Here}(values, 0, row(n, k));
  //@ assert zero_weight: kept{Row, Here}(weight, 0, d);
  //@ assert zero_cells: \forall integer l, c; 0 <= l < n ==> 0 <= c < d ==> in_cell(rows, d, l, c, 0.0);
  /*@ assert cells_h: \forall integer j, c, real x; 0 <= j < n ==> 0 <= c < d ==> in_cell{Gradients}(h, d, j, c, x) ==>
        in_cell(h, d, j, c, x); */
  /*@ assert factors: \forall rvec x, m, v, wq, wk, wv, real s;
      are_inputs{Pre}(q, keys, values, key_weight, query_weight, weight, root, x, m, v, wq, wk, wv, s, n, k, d, r) ==>
        are_factors(factors, real_attention(x, m, s, k, n), v, real_mean(real_attention(x, m, s, k, n), v, k, n), wv,
                    real_gradient(x, wk, s, k, d), real_gradients(m, wq, s, k, d)); */
  //@ ghost Zero:;
  jacobian_row_add(rows, factors, w, ws);
  /*@ assert partial: \forall rvec x, m, v, wq, wk, wv, real s;
        are_inputs{Pre}(q, keys, values, key_weight, query_weight, weight, root, x, m, v, wq, wk, wv, s, n, k, d, r) ==>
        \forall integer l, c; 0 <= l < n ==> 0 <= c < d ==> in_cell{Zero}(rows, d, l, c, 0.0) &&
        in_cell(rows, d, l, c, 0.0 +
          real_rows_partial(real_attention(x, m, s, k, n), v, real_mean(real_attention(x, m, s, k, n), v, k, n), wv,
                            real_gradient(x, wk, s, k, d), real_gradients(m, wq, s, k, d), k, d, i, r, l, c, n)); */
}
