#include "certify/enclosure/layer_enclosure_token.h"

#include "certify/enclosure/attention_enclosure.h"
#include "certify/enclosure/token_room.h"
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

void layer_enclosure_token(const layer_enclosure *e, int h, int i) {
  token_room room;
  //@ assert local: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> \separated(x, &room);
  //@ assert room_e: \separated(&room, e);
  //@ assert room_q: \separated(&room, e->q + (0 .. vectors_size(e) - 1));
  //@ assert room_k: \separated(&room, e->k + (0 .. vectors_size(e) - 1));
  //@ assert room_v: \separated(&room, e->v + (0 .. vectors_size(e) - 1));
  //@ assert room_y: \separated(&room, e->y + (0 .. vectors_size(e) - 1));
  //@ assert room_p: \separated(&room, e->p + (0 .. rows_size(e) - 1));
  //@ assert token: 0 <= token_index(e, h, i) < all_tokens(e);
  /*@ assert inside_y: 0 <= row(token_index(e, h, i), e->head_dim) &&
        row(token_index(e, h, i), e->head_dim) + e->head_dim <= vectors_size(e); */
  /*@ assert inside_p: 0 <= row(token_index(e, h, i), e->n) &&
        row(token_index(e, h, i), e->n) + e->n <= rows_size(e); */
  //@ assert room_mean: \separated(&room, e->y + row(token_index(e, h, i), e->head_dim) + (0 .. e->head_dim - 1));
  //@ assert room_weights: \separated(&room, e->p + row(token_index(e, h, i), e->n) + (0 .. e->n - 1));
  token_room_init(&room, e);
  //@ ghost Begin:;
  //@ assert lives_begin: same_lives{Pre, Here};
  //@ assert shape_begin: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  //@ assert sizes_begin: vectors_size(e) == vectors_size{Pre}(e) && rows_size(e) == rows_size{Pre}(e);
  //@ assert begin_q: kept{Pre, Here}(e->q, 0, vectors_size(e));
  //@ assert begin_k: kept{Pre, Here}(e->k, 0, vectors_size(e));
  //@ assert begin_v: kept{Pre, Here}(e->v, 0, vectors_size(e));
  //@ assert begin_y: kept{Pre, Here}(e->y, 0, vectors_size(e));
  //@ assert begin_p: kept{Pre, Here}(e->p, 0, rows_size(e));
  //@ assert live_q: live_vec(e->q, vectors_size(e));
  //@ assert live_k: live_vec(e->k, vectors_size(e));
  //@ assert live_v: live_vec(e->v, vectors_size(e));
  //@ assert live_y: live_vec(e->y, vectors_size(e));
  //@ assert live_p: live_vec(e->p, rows_size(e));
  //@ assert live: enclosure_live(e) && live_scratch(&room.ws) && live(&room.root);
  //@ assert readable: enclosure_readable(e);
  //@ assert writable: enclosure_writable(e);
  enclose_token(e, h, i, &room.root, &room.ws);
  //@ ghost Done:;
  //@ assert lives_done: same_lives{Pre, Here};
  //@ assert life_t: same_life{Begin, Here}(&room.ws.t[0]);
  //@ assert life_q: same_life{Begin, Here}(&room.ws.q.lo[0]) && same_life{Begin, Here}(&room.ws.q.hi[0]);
  //@ assert life_root: same_life{Begin, Here}(&room.root.lo[0]) && same_life{Begin, Here}(&room.root.hi[0]);
  //@ assert owned: owned_room(&room);
  //@ assert shape_done: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  //@ assert sizes_done: vectors_size(e) == vectors_size{Pre}(e) && rows_size(e) == rows_size{Pre}(e);
  //@ assert done: projections_kept{Pre, Here}(e);
  //@ assert row: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==> row_encloses(e, q, k, v, h, i);
  //@ assert earlier_weights: kept{Pre, Here}(e->p, 0, row(token_index(e, h, i), e->n));
  //@ assert means_done: kept{Begin, Here}(e->y, 0, row(token_index(e, h, i), e->head_dim));
  //@ assert earlier_means: kept{Pre, Here}(e->y, 0, row(token_index(e, h, i), e->head_dim));
  token_room_clear(&room);
  //@ assert numbers: numbers_outside_room{Done, Here}(&room);
  //@ assert low: \forall interval *a; \separated(a, &room) ==> unchanged{Done, Here}(&a->lo[0]);
  //@ assert high: \forall interval *a; \separated(a, &room) ==> unchanged{Done, Here}(&a->hi[0]);
  //@ assert frame: \forall interval *a, real s; \separated(a, &room) ==> in{Done}(a, s) ==> in(a, s);
  //@ assert lives_end: same_lives{Pre, Here};
  //@ assert end_n: e->n == \at(e->n, Pre);
  //@ assert end_heads: e->heads == \at(e->heads, Pre);
  //@ assert end_head_dim: e->head_dim == \at(e->head_dim, Pre);
  //@ assert end_dim: e->dim == \at(e->dim, Pre);
  //@ assert end_mask: e->mask == \at(e->mask, Pre);
  //@ assert end_precision: e->precision == \at(e->precision, Pre);
  //@ assert shape_end: same_arrays{Pre, Here}(e);
  /*@ assert weights_end: \forall rvec w, integer m; m <= e->n ==>
        in_vec{Done}(e->p + row(token_index(e, h, i), e->n), w, 0, m) ==>
        in_vec(e->p + row(token_index(e, h, i), e->n), w, 0, m); */
  /*@ assert mean_end: \forall rvec w;
        in_vec{Done}(e->y + row(token_index(e, h, i), e->head_dim), w, 0, e->head_dim) ==>
        in_vec(e->y + row(token_index(e, h, i), e->head_dim), w, 0, e->head_dim); */
  //@ assert attended: attended_keys(e->mask, i, e->n) <= e->n;
  //@ assert end_q: kept{Done, Here}(e->q, 0, vectors_size{Pre}(e));
  //@ assert end_k: kept{Done, Here}(e->k, 0, vectors_size{Pre}(e));
  //@ assert end_v: kept{Done, Here}(e->v, 0, vectors_size{Pre}(e));
  //@ assert end_y: kept{Done, Here}(e->y, 0, vectors_size{Pre}(e));
  //@ assert end_p: kept{Done, Here}(e->p, 0, rows_size{Pre}(e));
}
