#include "certify/enclosure/layer_enclosure_rows.h"

#include "base/parallel.h"
#include "certify/enclosure/attention_enclosure.h"
#include "kernel/row/attended_keys.h"

#ifdef __FRAMAC__
#include "interval/interval_life_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"
#endif

/* Scores, softmax and output of one row of e; the rest of e is as it was. */
/*@ requires sides: side(a.n) && side(a.k) && 1 <= a.n && 1 <= e->precision;
    requires valid: \valid(p + (0 .. a.n - 1)) && \valid(y + (0 .. a.k - 1)) && \valid_read(a.q + (0 .. a.k - 1));
    requires valid_room: \valid_read(a.root) && \valid(ws) && \valid_read(e);
    requires valid_matrices: \valid_read(a.keys + (0 .. row(a.n, a.k) - 1)) &&
                             \valid_read(a.values + (0 .. row(a.n, a.k) - 1));
    requires live: live_vec(p, a.n) && live_vec(y, a.k) && live_vec(a.q, a.k) && live(a.root) && live_scratch(ws) &&
      live_vec(a.keys, row(a.n, a.k)) && live_vec(a.values, row(a.n, a.k));
    requires separated: \separated(p + (0 .. a.n - 1), y + (0 .. a.k - 1), ws, a.q + (0 .. a.k - 1));
    requires separated_keys: \separated(p + (0 .. a.n - 1), y + (0 .. a.k - 1), ws, a.keys + (0 .. row(a.n, a.k) - 1));
    requires separated_values: \separated(p + (0 .. a.n - 1), y + (0 .. a.k - 1), ws,
                                          a.values + (0 .. row(a.n, a.k) - 1));
    requires separated_root: \separated(p + (0 .. a.n - 1), y + (0 .. a.k - 1), ws, a.root);
    requires apart_e: \separated(p + (0 .. a.n - 1), y + (0 .. a.k - 1), ws, e);
    requires apart_q: \separated(p + (0 .. a.n - 1), y + (0 .. a.k - 1), ws, e->q + (0 .. vectors_size(e) - 1));
    requires apart_k: \separated(p + (0 .. a.n - 1), y + (0 .. a.k - 1), ws, e->k + (0 .. vectors_size(e) - 1));
    requires apart_v: \separated(p + (0 .. a.n - 1), y + (0 .. a.k - 1), ws, e->v + (0 .. vectors_size(e) - 1));
    terminates \true;
    assigns p[0 .. a.n - 1], y[0 .. a.k - 1], *ws, mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e);
    ensures arrays: same_arrays{Pre, Post}(e);
    ensures projections: projections_kept{Pre, Post}(e);
    ensures frame: keeps_two{Pre, Post}(p, a.n, y, a.k, ws);
    ensures weights: \forall rvec x, m, real r;
      0.0 < r ==> in{Pre}(a.root, r) ==> in_vec{Pre}(a.q, x, 0, a.k) ==> in_vec{Pre}(a.keys, m, 0, row(a.n, a.k)) ==>
      in_vec(p, real_attention(x, m, r, a.k, a.n), 0, a.n);
    ensures mean: \forall rvec x, m, v, real r;
      0.0 < r ==> in{Pre}(a.root, r) ==> in_vec{Pre}(a.q, x, 0, a.k) ==> in_vec{Pre}(a.keys, m, 0, row(a.n, a.k)) ==>
      in_vec{Pre}(a.values, v, 0, row(a.n, a.k)) ==>
      in_vec(y, real_mean(real_attention(x, m, r, a.k, a.n), v, a.k, a.n), 0, a.k); */
static void enclose_in_place(const layer_enclosure *e, interval *p, interval *y, attention_row a,
                             interval_scratch *ws) {
  attention_row_enclosure(p, y, a, e->precision, ws);
  //@ assert kept_n: e->n == \at(e->n, Pre);
  //@ assert kept_heads: e->heads == \at(e->heads, Pre);
  //@ assert kept_head_dim: e->head_dim == \at(e->head_dim, Pre);
  //@ assert kept_dim: e->dim == \at(e->dim, Pre);
  //@ assert kept_mask: e->mask == \at(e->mask, Pre);
  //@ assert kept_precision: e->precision == \at(e->precision, Pre);
  //@ assert arrays: same_arrays{Pre, Here}(e);
  //@ assert old_q: kept{Pre, Here}(e->q, 0, vectors_size{Pre}(e));
  //@ assert old_k: kept{Pre, Here}(e->k, 0, vectors_size{Pre}(e));
  //@ assert old_v: kept{Pre, Here}(e->v, 0, vectors_size{Pre}(e));
}

/* Scores, softmax and output of token i of head h. */
/*@ requires valid: \valid_read(e) && enclosure_sides(e) && enclosure_writable(e);
    requires token: 0 <= h < e->heads && 0 <= i < e->n;
    requires room: \valid_read(root) && \valid(ws) && live(root) && live_scratch(ws);
    requires root: in(root, rroot(e->head_dim));
    requires apart: \separated(ws, root, e, e->p + (0 .. rows_size(e) - 1));
    requires apart_y: \separated(ws, root, e->y + (0 .. vectors_size(e) - 1));
    requires apart_q: \separated(ws, root, e->q + (0 .. vectors_size(e) - 1));
    requires apart_k: \separated(ws, root, e->k + (0 .. vectors_size(e) - 1));
    requires apart_v: \separated(ws, root, e->v + (0 .. vectors_size(e) - 1));
    terminates \true;
    assigns e->p[0 .. rows_size(e) - 1], e->y[0 .. vectors_size(e) - 1], *ws, mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e);
    ensures arrays: same_arrays{Pre, Post}(e);
    ensures projections: projections_kept{Pre, Post}(e);
    ensures earlier_weights: kept{Pre, Post}(e->p, 0, row(token_index(e, h, i), e->n));
    ensures earlier_means: kept{Pre, Post}(e->y, 0, row(token_index(e, h, i), e->head_dim));
    ensures encloses: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==> row_encloses(e, q, k, v, h, i); */
static void enclose_token(const layer_enclosure *e, int h, int i, const interval *root, interval_scratch *ws) {
  const size_t here = layer_enclosure_vec(e, h, i), head = layer_enclosure_vec(e, h, 0);
  const size_t weights = layer_enclosure_row(e, h, i);
  const attention_row row = {.n = attended_keys(e->mask, i, e->n),
                             .k = e->head_dim,
                             .q = e->q + here,
                             .keys = e->k + head,
                             .values = e->v + head,
                             .root = root};
  //@ assert query: 0 <= here && here + e->head_dim <= vectors_size(e);
  //@ assert first: token_index(e, h, 0) == row(h, e->n) && head == row(row(h, e->n), e->head_dim);
  //@ assert all_keys: head + row(e->n, e->head_dim) <= vectors_size(e);
  //@ assert keys: 0 <= head && 0 <= row(row.n, e->head_dim) <= row(e->n, e->head_dim);
  //@ assert weights: 0 <= weights && weights + row.n <= weights + e->n <= rows_size(e);
  /*@ assert vectors: \forall rvec q; in_vec(e->q, q, 0, vectors_size(e)) ==>
        in_vec(e->q + here, token_of(q, e, h, i), 0, e->head_dim); */
  /*@ assert matrix_k: \forall rvec k; in_vec(e->k, k, 0, vectors_size(e)) ==>
        in_vec(e->k + head, head_of(k, e, h), 0, row(row.n, e->head_dim)); */
  /*@ assert matrix_v: \forall rvec v; in_vec(e->v, v, 0, vectors_size(e)) ==>
        in_vec(e->v + head, head_of(v, e, h), 0, row(row.n, e->head_dim)); */
  //@ assert live_row: live_vec(e->p + weights, row.n) && live_vec(e->y + here, row.k) && live_vec(e->q + here, row.k);
  /*@ assert live_head: live_vec(e->k + head, row(row.n, e->head_dim)) &&
        live_vec(e->v + head, row(row.n, e->head_dim)); */
  //@ assert positive: 0.0 < rroot(e->head_dim);
  //@ assert width: row.k == e->head_dim && 0 <= row.k && 1 <= row.n <= e->n;
  //@ assert outputs: \separated(e->p + weights + (0 .. row.n - 1), e->y + here + (0 .. row.k - 1));
  //@ assert weights_q: \separated(e->p + weights + (0 .. row.n - 1), row.q + (0 .. row.k - 1));
  //@ assert mean_q: \separated(e->y + here + (0 .. row.k - 1), row.q + (0 .. row.k - 1));
  //@ assert weights_k: \separated(e->p + weights + (0 .. row.n - 1), row.keys + (0 .. row(row.n, row.k) - 1));
  //@ assert mean_k: \separated(e->y + here + (0 .. row.k - 1), row.keys + (0 .. row(row.n, row.k) - 1));
  //@ assert weights_v: \separated(e->p + weights + (0 .. row.n - 1), row.values + (0 .. row(row.n, row.k) - 1));
  //@ assert mean_v: \separated(e->y + here + (0 .. row.k - 1), row.values + (0 .. row(row.n, row.k) - 1));
  //@ assert room_weights: \separated(e->p + weights + (0 .. row.n - 1), ws);
  //@ assert room_mean: \separated(e->y + here + (0 .. row.k - 1), ws);
  //@ assert room_q: \separated(row.q + (0 .. row.k - 1), ws);
  //@ assert room_k: \separated(row.keys + (0 .. row(row.n, row.k) - 1), ws);
  //@ assert room_v: \separated(row.values + (0 .. row(row.n, row.k) - 1), ws);
  //@ assert apart_e: \separated(e, e->p + weights + (0 .. row.n - 1));
  //@ assert apart_e_mean: \separated(e, e->y + here + (0 .. row.k - 1));
  //@ assert writable: \valid(e->p + weights + (0 .. row.n - 1)) && \valid(e->y + here + (0 .. row.k - 1));
  /*@ assert given: \forall rvec q, k, v; projections_in(e, q, k, v) ==>
        in_vec(row.q, token_of(q, e, h, i), 0, row.k) && in_vec(row.keys, head_of(k, e, h), 0, row(row.n, row.k)) &&
        in_vec(row.values, head_of(v, e, h), 0, row(row.n, row.k)); */
  //@ assert weights_all_q: \separated(e->p + weights + (0 .. row.n - 1), e->q + (0 .. vectors_size(e) - 1));
  //@ assert mean_all_q: \separated(e->y + here + (0 .. row.k - 1), e->q + (0 .. vectors_size(e) - 1));
  //@ assert weights_all_k: \separated(e->p + weights + (0 .. row.n - 1), e->k + (0 .. vectors_size(e) - 1));
  //@ assert mean_all_k: \separated(e->y + here + (0 .. row.k - 1), e->k + (0 .. vectors_size(e) - 1));
  //@ assert weights_all_v: \separated(e->p + weights + (0 .. row.n - 1), e->v + (0 .. vectors_size(e) - 1));
  //@ assert mean_all_v: \separated(e->y + here + (0 .. row.k - 1), e->v + (0 .. vectors_size(e) - 1));
  //@ assert weights_weights: \separated(e->p + (0 .. weights - 1), e->p + weights + (0 .. row.n - 1));
  //@ assert weights_mean: \separated(e->p + (0 .. weights - 1), e->y + here + (0 .. row.k - 1));
  //@ assert weights_room: \separated(e->p + (0 .. weights - 1), ws);
  //@ assert mean_weights: \separated(e->y + (0 .. here - 1), e->p + weights + (0 .. row.n - 1));
  //@ assert mean_mean: \separated(e->y + (0 .. here - 1), e->y + here + (0 .. row.k - 1));
  //@ assert mean_room: \separated(e->y + (0 .. here - 1), ws);
  interval *const p = e->p + weights, *const y = e->y + here;
  //@ assert below_p: \separated(e->p + (0 .. weights - 1), p + (0 .. row.n - 1));
  //@ assert below_y: \separated(e->y + (0 .. here - 1), y + (0 .. row.k - 1));
  //@ assert bounds: 0 <= weights && weights + row.n <= rows_size(e) && 0 <= here && here + row.k <= vectors_size(e);
  enclose_in_place(e, p, y, row, ws);
  //@ assert frame: keeps_two{Pre, Here}(p, row.n, y, row.k, ws);
  //@ assert tokens: e->n == \at(e->n, Pre);
  //@ assert dimension: e->head_dim == \at(e->head_dim, Pre);
  //@ assert same_weights: kept{Pre, Here}(\at(e->p, Pre), 0, weights);
  //@ assert same_means: kept{Pre, Here}(\at(e->y, Pre), 0, here);
  /*@ assert row_weights: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==>
        in_vec(p, row_weights{Pre}(e, q, k, h, i), 0, row.n); */
  /*@ assert row_mean: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==>
        in_vec(y, row_mean{Pre}(e, q, k, v, h, i), 0, row.k); */
  //@ assert place_y: here == row(token_index(e, h, i), e->head_dim);
  //@ assert place_p: weights == row(token_index(e, h, i), e->n);
  //@ assert shape: row.n == attended_keys(e->mask, i, e->n) && row.k == e->head_dim;
}

/* The same with scratch of its own. */
/*@ requires valid: \valid_read(e) && enclosure_sides(e) && enclosure_writable(e);
    requires token: 0 <= h < e->heads && 0 <= i < e->n;
    terminates \true;
    assigns e->p[0 .. rows_size(e) - 1], e->y[0 .. vectors_size(e) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e);
    ensures arrays: same_arrays{Pre, Post}(e);
    ensures projections: projections_kept{Pre, Post}(e);
    ensures earlier_weights: kept{Pre, Post}(e->p, 0, row(token_index(e, h, i), e->n));
    ensures earlier_means: kept{Pre, Post}(e->y, 0, row(token_index(e, h, i), e->head_dim));
    ensures encloses: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==> row_encloses(e, q, k, v, h, i); */
static void enclose_alone(const layer_enclosure *e, int h, int i) {
  interval_scratch ws;
  interval root;
  //@ assert room_e: \separated(&ws, &root, e);
  //@ assert room_p: \separated(&ws, &root, e->p + (0 .. rows_size(e) - 1));
  //@ assert room_y: \separated(&ws, &root, e->y + (0 .. vectors_size(e) - 1));
  //@ assert room_q: \separated(&ws, &root, e->q + (0 .. vectors_size(e) - 1));
  //@ assert room_k: \separated(&ws, &root, e->k + (0 .. vectors_size(e) - 1));
  //@ assert room_v: \separated(&ws, &root, e->v + (0 .. vectors_size(e) - 1));
  interval_scratch_init(&ws, e->precision);
  //@ assert lives_scratch: same_lives{Pre, Here};
  //@ assert owned_scratch: owned_scratch(&ws);
  interval_init(&root, e->precision);
  //@ assert lives_root: same_lives{Pre, Here};
  //@ assert owned_root: owned_scratch(&ws) && owned_ends(&root);
  layer_enclosure_root(&root, e);
  //@ ghost Begin:;
  //@ assert shape: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  //@ assert begin_q: kept{Pre, Here}(e->q, 0, vectors_size(e));
  //@ assert begin_k: kept{Pre, Here}(e->k, 0, vectors_size(e));
  //@ assert begin_v: kept{Pre, Here}(e->v, 0, vectors_size(e));
  //@ assert begin_p: kept{Pre, Here}(e->p, 0, rows_size(e));
  //@ assert begin_y: kept{Pre, Here}(e->y, 0, vectors_size(e));
  //@ assert live: enclosure_live(e);
  //@ assert readable: enclosure_readable(e);
  //@ assert writable: enclosure_writable(e);
  enclose_token(e, h, i, &root, &ws);
  //@ ghost Done:;
  //@ assert lives: same_lives{Pre, Here};
  //@ assert owned: owned_scratch(&ws) && owned_ends(&root);
  //@ assert shape_done: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  //@ assert done_q: kept{Pre, Here}(e->q, 0, vectors_size(e));
  //@ assert done_k: kept{Pre, Here}(e->k, 0, vectors_size(e));
  //@ assert done_v: kept{Pre, Here}(e->v, 0, vectors_size(e));
  //@ assert row: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==> row_encloses(e, q, k, v, h, i);
  interval_clear(&root);
  //@ assert lives_without_root: same_lives{Pre, Here};
  //@ assert owned_without_root: owned_scratch(&ws);
  interval_scratch_clear(&ws);
  //@ assert lives_without_scratch: same_lives{Pre, Here};
  //@ assert shape_end: same_shape{Done, Here}(e) && same_arrays{Done, Here}(e);
  //@ assert end_q: kept{Done, Here}(e->q, 0, vectors_size(e));
  //@ assert end_k: kept{Done, Here}(e->k, 0, vectors_size(e));
  //@ assert end_v: kept{Done, Here}(e->v, 0, vectors_size(e));
  //@ assert end_p: kept{Done, Here}(e->p, 0, rows_size(e));
  //@ assert end_y: kept{Done, Here}(e->y, 0, vectors_size(e));
}

/* The same for token `index` of all tokens of all heads. */
/*@ requires valid: \valid_read(e) && enclosure_sides(e) && enclosure_writable(e);
    requires index: 0 <= index < all_tokens(e);
    terminates \true;
    assigns e->p[0 .. rows_size(e) - 1], e->y[0 .. vectors_size(e) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e);
    ensures arrays: same_arrays{Pre, Post}(e);
    ensures projections: projections_kept{Pre, Post}(e);
    ensures next: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==>
      first_rows_enclose{Pre}(e, q, k, v, index) ==>
      projections_in(e, q, k, v) && first_rows_enclose(e, q, k, v, index + 1);
    ensures writable: enclosure_writable(e); */
static void enclose_row(const layer_enclosure *e, int index) {
  const int h = index / e->n, i = index % e->n;
  //@ assert division: h * e->n + i == index && 0 <= i < e->n && 0 <= h;
  //@ assert index: token_index(e, h, i) == index;
  //@ assert head: h < e->heads;
  /*@ assert unique: \forall integer g, j; 0 <= j < e->n ==> 0 <= g ==> row(g, e->n) + j == index ==>
        g == h && j == i; */
  //@ assert below: \forall integer t; 0 <= t < index ==> 0 <= row(t, e->n) && row(t, e->n) + e->n <= row(index, e->n);
  /*@ assert vectors_below: \forall integer t; 0 <= t < index ==>
        0 <= row(t, e->head_dim) && row(t, e->head_dim) + e->head_dim <= row(index, e->head_dim); */
  enclose_alone(e, h, i);
  //@ assert tokens: e->n == \at(e->n, Pre) && e->head_dim == \at(e->head_dim, Pre);
  //@ assert sizes: vectors_size(e) == vectors_size{Pre}(e) && rows_size(e) == rows_size{Pre}(e);
  //@ assert live_q: live_vec(e->q, vectors_size(e));
  //@ assert live_k: live_vec(e->k, vectors_size(e));
  //@ assert live_v: live_vec(e->v, vectors_size(e));
  //@ assert live_y: live_vec(e->y, vectors_size(e));
  //@ assert live_p: live_vec(e->p, rows_size(e));
  //@ assert given: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==> projections_in(e, q, k, v);
  /*@ assert weight_kept: \forall integer t, u, real s; 0 <= t < index ==> 0 <= u < e->n ==>
        in{Pre}(e->p + (row(t, e->n) + u), s) ==> in(e->p + (row(t, e->n) + u), s); */
  /*@ assert mean_kept: \forall integer t, u, real s; 0 <= t < index ==> 0 <= u < e->head_dim ==>
        in{Pre}(e->y + (row(t, e->head_dim) + u), s) ==> in(e->y + (row(t, e->head_dim) + u), s); */
  /*@ assert weights_kept: \forall integer t, rvec w, integer m; 0 <= t < index ==> m <= e->n ==>
        in_vec{Pre}(e->p + row(t, e->n), w, 0, m) ==> in_vec(e->p + row(t, e->n), w, 0, m); */
  /*@ assert means_kept: \forall integer t, rvec w; 0 <= t < index ==>
        in_vec{Pre}(e->y + row(t, e->head_dim), w, 0, e->head_dim) ==>
        in_vec(e->y + row(t, e->head_dim), w, 0, e->head_dim); */
  /*@ assert at_least_zero: \forall integer g, j; 0 <= g ==> 0 <= j ==> 0 <= row(g, e->n) + j; */
  /*@ assert attended: \forall integer j; 0 <= j < e->n ==> attended_keys(e->mask, j, e->n) <= e->n; */
  /*@ assert others: \forall rvec q, k, v, integer g, j; 0 <= g < e->heads ==> 0 <= j < e->n ==>
        token_index(e, g, j) < index ==> row_encloses{Pre}(e, q, k, v, g, j) ==> row_encloses(e, q, k, v, g, j); */
}

PARALLEL_TASK(enclose_row)

void layer_enclosure_rows(layer_enclosure *e, int threads) {
  //@ assert tokens: row(e->heads, e->n) == e->heads * e->n;
  //@ assert bound: 0 <= e->heads * e->n <= DIM_MAX * DIM_MAX;
  const int tokens = e->heads * e->n;
  /*@ loop invariant range: 0 <= parallel_index <= tokens;
      loop invariant lives: same_lives{Pre, Here};
      loop invariant shape: same_shape{Pre, Here}(e);
      loop invariant arrays: same_arrays{Pre, Here}(e);
      loop invariant writable: enclosure_writable(e);
      loop invariant projections: projections_kept{Pre, Here}(e);
      loop invariant encloses: rows_enclose{Pre, Here}(e, parallel_index);
      loop assigns parallel_index, e->p[0 .. rows_size{Pre}(e) - 1], e->y[0 .. vectors_size{Pre}(e) - 1], mpfr_lives;
      loop variant tokens - parallel_index; */
  PARALLEL_FOR(tokens, threads, enclose_row, e);
  //@ assert inside: \forall integer h, i; 0 <= h < e->heads ==> 0 <= i < e->n ==> token_index(e, h, i) < tokens;
  //@ assert same_q: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> same_ends{Pre, Here}(e->q + t);
  //@ assert same_k: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> same_ends{Pre, Here}(e->k + t);
  //@ assert same_v: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> same_ends{Pre, Here}(e->v + t);
  //@ assert given: \forall rvec q, k, v; projections_in(e, q, k, v) ==> projections_in{Pre}(e, q, k, v);
}
