#include "certify/enclosure/direction_heads.h"

#include "base/parallel.h"
#include "certify/enclosure/direction_row.h"
#include "certify/enclosure/token_block.h"
#include "kernel/row/attended_keys.h"

#ifdef __FRAMAC__
#include "interval/interval_direction_kept_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_matrix_lemmas.acsl"
#endif

/*@ // What f has to be for token i of head h.
    predicate is_token_row{L}(derivative *t, direction_row f, integer h, integer i, interval *root) =
      f.n == attended_keys(t->e->mask, i, t->e->n) && f.k == t->e->head_dim && f.root == root &&
      f.p == t->e->p + row(token_index(t->e, h, i), t->e->n) &&
      f.q == t->e->q + row(token_index(t->e, h, i), t->e->head_dim) &&
      f.dq == t->dq + row(token_index(t->e, h, i), t->e->head_dim) &&
      f.keys == t->e->k + row(row(h, t->e->n), t->e->head_dim) &&
      f.dkeys == t->dk + row(row(h, t->e->n), t->e->head_dim) &&
      f.values == t->e->v + row(row(h, t->e->n), t->e->head_dim) &&
      f.dvalues == t->dv + row(row(h, t->e->n), t->e->head_dim) &&
      f.mean == t->e->y + row(token_index(t->e, h, i), t->e->head_dim);
    // Entry r of dy at L1 contains dy_i at r, for all real factors in the intervals at L0.
    predicate row_derived{L0, L1}(interval *dy, direction_row f) =
      \forall rvec p, q, dq, keys, dkeys, values, dvalues, y, real root;
      are_direction_factors{L0}(f, p, q, dq, keys, dkeys, values, dvalues, y, root) ==>
      \forall integer r; 0 <= r < f.k ==>
      entry_in{L1}(dy, r, real_direction(p, q, dq, keys, dkeys, values, dvalues, y, root, f.k, r, f.n));
    predicate are_token_factors{L}(derivative *t, direction_row f, integer h, integer i) =
      \forall rvec q, k, v, dq, dk, dv; moving_in(t, q, k, v, dq, dk, dv) ==>
      are_direction_factors(f, row_weights(t->e, q, k, h, i), token_of(q, t->e, h, i), token_of(dq, t->e, h, i),
                            head_of(k, t->e, h), head_of(dk, t->e, h), head_of(v, t->e, h), head_of(dv, t->e, h),
                            row_mean(t->e, q, k, v, h, i), rroot(t->e->head_dim)); */

/* The row of token i of head h: where it is in the arrays. */
/*@ requires readable: heads_readable(t);
    requires token: 0 <= h < t->e->heads && 0 <= i < t->e->n;
    requires root: \valid_read(root) && live(root) && in(root, rroot(t->e->head_dim));
    terminates \true;
    assigns \nothing;
    ensures row: is_token_row(t, \result, h, i, root);
    ensures sides: 1 <= \result.n <= t->e->n;
    ensures readable: direction_row_readable(\result);
    ensures factors: are_token_factors(t, \result, h, i); */
static direction_row token_row(const derivative *t, int h, int i, const interval *root) {
  const layer_enclosure *const e = t->e;
  const size_t here = layer_enclosure_vec(e, h, i), head = layer_enclosure_vec(e, h, 0);
  const direction_row row = {.n = attended_keys(e->mask, i, e->n),
                             .k = e->head_dim,
                             .p = e->p + layer_enclosure_row(e, h, i),
                             .q = e->q + here,
                             .dq = t->dq + here,
                             .keys = e->k + head,
                             .dkeys = t->dk + head,
                             .values = e->v + head,
                             .dvalues = t->dv + head,
                             .mean = e->y + here,
                             .root = root};
  //@ assert first: head == row(row(h, e->n), e->head_dim);
  //@ assert row: is_token_row(t, row, h, i, root);
  //@ assert all_keys: 0 <= head && head + row(e->n, e->head_dim) <= vectors_size(e);
  //@ assert keys: 0 <= row(row.n, row.k) && head + row(row.n, row.k) <= vectors_size(e);
  //@ assert query: 0 <= here && here + row.k <= vectors_size(e);
  /*@ assert weights: 0 <= row(token_index(e, h, i), e->n) &&
        row(token_index(e, h, i), e->n) + row.n <= rows_size(e); */
  //@ assert valid_row: \valid_read(row.p + (0 .. row.n - 1)) && \valid_read(row.mean + (0 .. row.k - 1));
  //@ assert arrays: \valid_read(t->dq + (0 .. vectors_size(e) - 1)) && \valid_read(t->dk + (0 .. vectors_size(e) - 1));
  /*@ assert value_arrays: \valid_read(e->v + (0 .. vectors_size(e) - 1)) &&
        \valid_read(t->dv + (0 .. vectors_size(e) - 1)); */
  //@ assert valid_q: \valid_read(row.q + (0 .. row.k - 1));
  //@ assert valid_dq: \valid_read(row.dq + (0 .. row.k - 1));
  //@ assert valid_keys: \valid_read(row.keys + (0 .. row(row.n, row.k) - 1));
  //@ assert valid_dkeys: \valid_read(row.dkeys + (0 .. row(row.n, row.k) - 1));
  //@ assert valid_values: \valid_read(row.values + (0 .. row(row.n, row.k) - 1));
  //@ assert valid_dvalues: \valid_read(row.dvalues + (0 .. row(row.n, row.k) - 1));
  //@ assert live_row: live_vec(row.p, row.n) && live_vec(row.mean, row.k);
  //@ assert live_q: live_vec(row.q, row.k) && live_vec(row.dq, row.k);
  //@ assert live_keys: live_vec(row.keys, row(row.n, row.k)) && live_vec(row.dkeys, row(row.n, row.k));
  //@ assert live_values: live_vec(row.values, row(row.n, row.k)) && live_vec(row.dvalues, row(row.n, row.k));
  //@ assert positive: 0.0 < rroot(e->head_dim);
  /*@ assert vectors_q: \forall rvec m; in_vec(e->q, m, 0, vectors_size(e)) ==>
        in_vec(row.q, token_of(m, e, h, i), 0, row.k); */
  /*@ assert vectors_dq: \forall rvec m; in_vec(t->dq, m, 0, vectors_size(e)) ==>
        in_vec(row.dq, token_of(m, e, h, i), 0, row.k); */
  /*@ assert matrix_k: \forall rvec m; in_vec(e->k, m, 0, vectors_size(e)) ==>
        in_vec(row.keys, head_of(m, e, h), 0, row(row.n, row.k)); */
  /*@ assert matrix_dk: \forall rvec m; in_vec(t->dk, m, 0, vectors_size(e)) ==>
        in_vec(row.dkeys, head_of(m, e, h), 0, row(row.n, row.k)); */
  /*@ assert matrix_v: \forall rvec m; in_vec(e->v, m, 0, vectors_size(e)) ==>
        in_vec(row.values, head_of(m, e, h), 0, row(row.n, row.k)); */
  /*@ assert matrix_dv: \forall rvec m; in_vec(t->dv, m, 0, vectors_size(e)) ==>
        in_vec(row.dvalues, head_of(m, e, h), 0, row(row.n, row.k)); */
  /*@ assert weights_mean: \forall rvec q, k, v; projections_in(e, q, k, v) ==>
        in_vec(row.p, row_weights(e, q, k, h, i), 0, row.n) &&
        in_vec(row.mean, row_mean(e, q, k, v, h, i), 0, row.k); */
  /*@ assert mean: \forall rvec q, k, v; row.n == 1 ==> row_mean(e, q, k, v, h, i) ==
        real_mean(real_weights(real_scores(token_of(q, e, h, i), head_of(k, e, h), rroot(row.k), row.k), 1),
                  head_of(v, e, h), row.k, 1); */
  /*@ assert alone: \forall rvec q, k, v, integer r; row.n == 1 ==>
        vanishes(entry(head_of(v, e, h), row(0, row.k) + r) - entry(row_mean(e, q, k, v, h, i), r)); */
  return row;
}

/* dy, which is zero, becomes dy_i at the entries of one head. */
/*@ requires sides: side(f.n) && side(f.k);
    requires readable: direction_row_readable(f);
    requires valid: \valid(dy + (0 .. f.k - 1)) && \valid(ds) && \valid(term) && \valid(ws);
    requires live: live_vec(dy, f.k) && live(ds) && live(term) && live_scratch(ws);
    requires separated: direction_row_outside(f, dy, ds, term, ws);
    requires zero: zero_entries(dy, f.k);
    terminates \true;
    assigns dy[0 .. f.k - 1], *ds, *term, *ws;
    ensures contains: row_derived{Pre, Post}(dy, f); */
static void row_derivative(interval *dy, direction_row f, interval *ds, interval *term, interval_scratch *ws) {
  direction_row_add(dy, f, ds, term, ws);
  //@ assert directed: row_directed{Pre, Pre, Here}(dy, f, f.n);
  /*@ assert sum: \forall rvec p, q, dq, keys, dkeys, values, dvalues, y, real root;
        are_direction_factors{Pre}(f, p, q, dq, keys, dkeys, values, dvalues, y, root) ==>
        \forall integer r; 0 <= r < f.k ==> in{Pre}(dy + r, 0.0) &&
        in(dy + r, 0.0 + real_direction(p, q, dq, keys, dkeys, values, dvalues, y, root, f.k, r, f.n)); */
}

/* dy_i of head h at t->dy + joined_place, from [0, 0]; the others are room. */
/*@ requires readable: heads_readable(t);
    requires apart: apart_from_inputs(\base_addr(t->dy), t);
    requires token: 0 <= h < t->e->heads && 0 <= i < t->e->n;
    requires place: 0 <= joined_place(t->e, h, i) && joined_place(t->e, h, i) + t->e->head_dim <= joined_size(t->e);
    requires dy: dy == t->dy + joined_place(t->e, h, i) && zero_entries(dy, t->e->head_dim);
    requires room: \valid(ds) && \valid(term) && \valid(root) && \valid(ws);
    requires live: live(ds) && live(term) && live(root) && live_scratch(ws);
    requires distinct: \separated(ds, term, root, ws);
    requires apart_ds: apart_from_inputs(\base_addr(ds), t) && \base_addr(ds) != \base_addr(t->dy);
    requires apart_term: apart_from_inputs(\base_addr(term), t) && \base_addr(term) != \base_addr(t->dy);
    requires apart_ws: apart_from_inputs(\base_addr(ws), t) && \base_addr(ws) != \base_addr(t->dy);
    requires apart_root: \base_addr(root) != \base_addr(t->dy);
    requires contains: in(root, rroot(t->e->head_dim));
    terminates \true;
    assigns dy[0 .. t->e->head_dim - 1], *ds, *term, *ws;
    ensures moved: moved_token{Pre, Post}(t, h, i); */
static void token_derivative(const derivative *t, interval *dy, int h, int i, const interval *root, interval *ds,
                             interval *term, interval_scratch *ws) {
  const direction_row row = token_row(t, h, i, root);
  //@ assert live: live_vec(dy, row.k);
  //@ assert outside_p: \separated(dy + (0 .. row.k - 1), ds, term, ws, row.p + (0 .. row.n - 1));
  //@ assert outside_q: \separated(dy + (0 .. row.k - 1), ds, term, ws, row.q + (0 .. row.k - 1));
  //@ assert outside_dq: \separated(dy + (0 .. row.k - 1), ds, term, ws, row.dq + (0 .. row.k - 1));
  //@ assert outside_keys: \separated(dy + (0 .. row.k - 1), ds, term, ws, row.keys + (0 .. row(row.n, row.k) - 1));
  //@ assert outside_dkeys: \separated(dy + (0 .. row.k - 1), ds, term, ws, row.dkeys + (0 .. row(row.n, row.k) - 1));
  //@ assert outside_values: \separated(dy + (0 .. row.k - 1), ds, term, ws, row.values + (0 .. row(row.n, row.k) - 1));
  /*@ assert outside_dvalues: \separated(dy + (0 .. row.k - 1), ds, term, ws,
        row.dvalues + (0 .. row(row.n, row.k) - 1)); */
  //@ assert outside_mean: \separated(dy + (0 .. row.k - 1), ds, term, ws, row.mean + (0 .. row.k - 1));
  //@ assert outside_root: \separated(dy + (0 .. row.k - 1), ds, term, ws, row.root);
  //@ assert zero: zero_entries(dy, row.k);
  row_derivative(dy, row, ds, term, ws);
  //@ assert derived: row_derived{Pre, Here}(dy, row);
  /*@ assert sum: \forall rvec p, q, dq, keys, dkeys, values, dvalues, y, real s;
        are_direction_factors{Pre}(row, p, q, dq, keys, dkeys, values, dvalues, y, s) ==>
        \forall integer r; 0 <= r < row.k ==>
        entry_in(dy, r, real_direction(p, q, dq, keys, dkeys, values, dvalues, y, s, row.k, r, row.n)); */
  //@ assert shifted: \forall integer r, real x; entry_in(dy, r, x) ==> in(dy + r, x);
  /*@ assert moved: \forall rvec q, k, v, dq, dk, dv; moving_in{Pre}(t, q, k, v, dq, dk, dv) ==>
        \forall integer r; 0 <= r < row.k ==>
        in(dy + r, token_direction(q, k, v, dq, dk, dv, \at(t->e->mask, Pre), \at(t->e->n, Pre),
                                   \at(t->e->head_dim, Pre), h, i, r)); */
}

/* What one token needs besides. */
typedef struct {
  interval_scratch ws;
  interval ds, term, root;
} token_room;

/*@ predicate owned_room{L}(token_room *m) =
      owned_scratch(&m->ws) && owned_ends(&m->ds) && owned_ends(&m->term) && owned_ends(&m->root);
    predicate lives_outside_room{L1, L2}(token_room *m) =
      \forall mpfr_srcptr x; \base_addr{L1}(x) != \base_addr{L1}(m) ==> same_life{L1, L2}(x); */

/*@ requires valid: \valid(room) && 1 <= precision;
    terminates \true;
    assigns *room, mpfr_lives;
    ensures live: owned_room(room);
    ensures others: lives_outside_room{Pre, Post}(room); */
static void room_init(token_room *room, mpfr_prec_t precision) {
  interval_scratch_init(&room->ws, precision);
  //@ assert others_ws: lives_outside_room{Pre, Here}(room);
  interval_init(&room->ds, precision);
  //@ assert ws: owned_scratch(&room->ws);
  //@ assert others_ds: lives_outside_room{Pre, Here}(room);
  interval_init(&room->term, precision);
  //@ assert ws_term: owned_scratch(&room->ws);
  //@ assert ds_term: owned_ends(&room->ds);
  //@ assert others_term: lives_outside_room{Pre, Here}(room);
  interval_init(&room->root, precision);
  //@ assert ws_root: owned_scratch(&room->ws);
  //@ assert ds_root: owned_ends(&room->ds);
  //@ assert term_root: owned_ends(&room->term);
}

/*@ requires valid: \valid(room);
    requires live: owned_room(room);
    terminates \true;
    assigns *room, mpfr_lives;
    ensures others: lives_outside_room{Pre, Post}(room);
    ensures apart: \forall interval *a; \separated(a, room) ==> same_ends{Pre, Post}(a); */
static void room_clear(token_room *room) {
  interval_clear(&room->root);
  //@ ghost Root:;
  //@ assert ws_root: owned_scratch(&room->ws);
  //@ assert ds_root: owned_ends(&room->ds);
  //@ assert term_root: owned_ends(&room->term);
  //@ assert others_root: lives_outside_room{Pre, Here}(room);
  interval_clear(&room->term);
  //@ ghost Term:;
  //@ assert more_term: lives_outside_room{Root, Here}(room);
  //@ assert ws_term: owned_scratch(&room->ws);
  //@ assert ds_term: owned_ends(&room->ds);
  //@ assert others_term: lives_outside_room{Pre, Here}(room);
  interval_clear(&room->ds);
  //@ ghost Slope:;
  //@ assert more_ds: lives_outside_room{Term, Here}(room);
  //@ assert ws: owned_scratch(&room->ws);
  //@ assert others_ds: lives_outside_room{Pre, Here}(room);
  interval_scratch_clear(&room->ws);
  //@ assert more_ws: lives_outside_room{Slope, Here}(room);
}

/* The room for a token of t, with root. */
/*@ requires readable: heads_readable(t);
    requires valid: \valid(room);
    requires apart: apart_from_inputs(\base_addr(room), t);
    terminates \true;
    assigns *room, mpfr_lives;
    ensures live: owned_room(room);
    ensures others: lives_outside_room{Pre, Post}(room);
    ensures root: in(&room->root, rroot(\at(t->e->head_dim, Pre)));
    ensures inputs: inputs_kept{Pre, Post}(t);
    ensures apart: \forall interval *a; \separated(a, room) ==> same_ends{Pre, Post}(a); */
static void room_of_layer(token_room *room, const derivative *t) {
  room_init(room, t->e->precision);
  //@ assert apart: \separated(&room->root, t->e);
  //@ assert head_dim: t->e == \at(t->e, Pre) && t->e->head_dim == \at(t->e->head_dim, Pre);
  layer_enclosure_root(&room->root, t->e);
  //@ assert places: same_places{Pre, Here}(t);
  //@ assert same_n: t->e->n == \at(t->e->n, Pre);
  //@ assert same_dim: t->e->dim == \at(t->e->dim, Pre);
  //@ assert same_heads: t->e->heads == \at(t->e->heads, Pre);
  //@ assert same_head_dim: t->e->head_dim == \at(t->e->head_dim, Pre);
  //@ assert same_mask: t->e->mask == \at(t->e->mask, Pre);
  //@ assert same_precision: t->e->precision == \at(t->e->precision, Pre);
  //@ assert shape: same_shape{Pre, Here}(t->e);
  //@ assert arrays: same_arrays{Pre, Here}(t->e);
  /*@ assert others: \forall interval *a; \separated(a, room) ==> same_ends{Pre, Here}(a); */
  //@ assert vectors: vectors_size(t->e) == vectors_size{Pre}(t->e) && rows_size(t->e) == rows_size{Pre}(t->e);
  //@ assert q: ends_kept{Pre, Here}(t->e->q, vectors_size(t->e));
  //@ assert k: ends_kept{Pre, Here}(t->e->k, vectors_size(t->e));
  //@ assert v: ends_kept{Pre, Here}(t->e->v, vectors_size(t->e));
  //@ assert y: ends_kept{Pre, Here}(t->e->y, vectors_size(t->e));
  //@ assert p: ends_kept{Pre, Here}(t->e->p, rows_size(t->e));
  //@ assert dq: ends_kept{Pre, Here}(t->dq, vectors_size(t->e));
  //@ assert dk: ends_kept{Pre, Here}(t->dk, vectors_size(t->e));
  //@ assert dv: ends_kept{Pre, Here}(t->dv, vectors_size(t->e));
}

/* The same with room of its own. */
/*@ requires readable: heads_readable(t);
    requires apart: apart_from_inputs(\base_addr(t->dy), t);
    requires token: 0 <= h < t->e->heads && 0 <= i < t->e->n;
    requires place: 0 <= joined_place(t->e, h, i) && joined_place(t->e, h, i) + t->e->head_dim <= joined_size(t->e);
    requires dy: dy == t->dy + joined_place(t->e, h, i) && zero_entries(dy, t->e->head_dim);
    terminates \true;
    assigns dy[0 .. t->e->head_dim - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures moved: moved_token{Pre, Post}(t, h, i); */
static void derivative_of_token(const derivative *t, interval *dy, int h, int i) {
  token_room room;
  //@ assert apart: apart_from_inputs(\base_addr(&room), t);
  room_of_layer(&room, t);
  //@ assert lives: same_lives{Pre, Here};
  //@ assert inputs: inputs_kept{Pre, Here}(t);
  //@ assert sides: enclosure_sides(t->e);
  //@ assert encloses: layer_encloses(t->e);
  //@ assert live_q: live_vec(t->e->q, vectors_size(t->e));
  //@ assert live_k: live_vec(t->e->k, vectors_size(t->e));
  //@ assert live_v: live_vec(t->e->v, vectors_size(t->e));
  //@ assert live_y: live_vec(t->e->y, vectors_size(t->e));
  //@ assert live_p: live_vec(t->e->p, rows_size(t->e));
  //@ assert readable_e: enclosure_readable(t->e);
  //@ assert readable_dq: readable_vec(t->dq, vectors_size(t->e));
  //@ assert readable_dk: readable_vec(t->dk, vectors_size(t->e));
  //@ assert readable_dv: readable_vec(t->dv, vectors_size(t->e));
  //@ assert room_dy: room_for(t->dy, joined_size(t->e));
  //@ assert readable: heads_readable(t);
  //@ assert apart_dy: \forall integer r; 0 <= r < t->e->head_dim ==> \separated(dy + r, &room);
  //@ assert kept_dy: \forall integer r; 0 <= r < t->e->head_dim ==> same_ends{Pre, Here}(dy + r);
  //@ assert ends_dy: ends_kept{Pre, Here}(dy, \at(t->e->head_dim, Pre));
  //@ assert head_dim: t->e->head_dim == \at(t->e->head_dim, Pre);
  //@ assert zero: zero_entries(dy, t->e->head_dim);
  //@ ghost Ready:;
  token_derivative(t, dy, h, i, &room.root, &room.ds, &room.term, &room.ws);
  //@ ghost Done:;
  //@ assert done: moved_token{Ready, Here}(t, h, i);
  //@ assert moved: moved_token{Pre, Here}(t, h, i);
  //@ assert owned: owned_room(&room);
  room_clear(&room);
  /*@ assert apart_entries: \forall integer r;
        joined_place{Pre}(t->e, h, i) <= r < joined_place{Pre}(t->e, h, i) + \at(t->e->head_dim, Pre) ==>
        \separated(\at(t->dy, Pre) + r, &room); */
  /*@ assert ends: same_entries{Done, Here}(\at(t->dy, Pre), joined_place{Pre}(t->e, h, i),
                                            joined_place{Pre}(t->e, h, i) + \at(t->e->head_dim, Pre)); */
  /*@ assert entries: kept{Done, Here}(\at(t->dy, Pre), joined_place{Pre}(t->e, h, i),
                                       joined_place{Pre}(t->e, h, i) + \at(t->e->head_dim, Pre)); */
}

/*@ // The row of token i of head h is row `index` of all heads' rows.
    predicate row_moved{L1, L2}(derivative *t, integer index) =
      \forall integer h, i; 0 <= h < \at(t->e->heads, L1) ==> 0 <= i < \at(t->e->n, L1) ==>
      index == row(h, \at(t->e->n, L1)) + i ==> moved_token{L1, L2}(t, h, i);
    predicate other_rows_kept{L1, L2}(derivative *t, integer index) =
      \forall integer h, i; 0 <= h < \at(t->e->heads, L1) ==> 0 <= i < \at(t->e->n, L1) ==>
      index != row(h, \at(t->e->n, L1)) + i ==>
      kept{L1, L2}(\at(t->dy, L1), joined_place{L1}(\at(t->e, L1), h, i),
                   joined_place{L1}(\at(t->e, L1), h, i) + \at(t->e->head_dim, L1)); */

/* dy_i of head h, for row `index` of all heads. */
/*@ requires readable: heads_readable(t);
    requires apart: apart_from_inputs(\base_addr(t->dy), t);
    requires index: 0 <= index < row(t->e->heads, t->e->n);
    requires zero: \forall integer h, i; 0 <= h < t->e->heads ==> 0 <= i < t->e->n ==> index == row(h, t->e->n) + i ==>
      zero_entries(t->dy + joined_place(t->e, h, i), t->e->head_dim);
    terminates \true;
    assigns t->dy[0 .. joined_size(t->e) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures moved: row_moved{Pre, Post}(t, index);
    ensures others: other_rows_kept{Pre, Post}(t, index); */
static void derivative_at(const derivative *t, int index) {
  const layer_enclosure *const e = t->e;
  const int h = index / e->n, i = index % e->n;
  //@ assert token: index == row(h, e->n) + i && 0 <= i < e->n && 0 <= h;
  //@ assert head: h < e->heads;
  /*@ assert only: \forall integer g, j; 0 <= g ==> 0 <= j < e->n ==> index == row(g, e->n) + j ==> g == h && j == i; */
  //@ assert column: 0 <= row(h, e->head_dim) && row(h, e->head_dim) + e->head_dim <= channels(e);
  //@ assert token_place: 0 <= row(i, channels(e)) && row(i, channels(e)) + channels(e) <= joined_size(e);
  interval *const dy = t->dy + token_block(i, h, e->head_dim, e->n, e->heads);
  //@ assert place: dy == t->dy + joined_place(e, h, i);
  /*@ assert apart_head: \forall integer g, j; 0 <= g < e->heads ==> 0 <= j < e->n ==> j == i ==> g != h ==>
        joined_place(e, g, j) + e->head_dim <= joined_place(e, h, i) ||
        joined_place(e, h, i) + e->head_dim <= joined_place(e, g, j); */
  /*@ assert columns: \forall integer g; 0 <= g < e->heads ==>
        0 <= row(g, e->head_dim) && row(g, e->head_dim) + e->head_dim <= channels(e); */
  /*@ assert apart_token: \forall integer g, j; 0 <= g < e->heads ==> 0 <= j < e->n ==> j != i ==>
        joined_place(e, g, j) + e->head_dim <= joined_place(e, h, i) ||
        joined_place(e, h, i) + e->head_dim <= joined_place(e, g, j); */
  derivative_of_token(t, dy, h, i);
  //@ assert before: kept{Pre, Here}(t->dy, 0, joined_place{Pre}(t->e, h, i));
  /*@ assert after: kept{Pre, Here}(t->dy, joined_place{Pre}(t->e, h, i) + \at(t->e->head_dim, Pre),
                                    joined_size{Pre}(t->e)); */
}

/* The same, and the other rows are as ready as before. */
/*@ requires readable: heads_readable(t);
    requires apart: apart_from_inputs(\base_addr(t->dy), t);
    requires index: 0 <= index < row(t->e->heads, t->e->n);
    requires zero: \forall integer h, i; 0 <= h < t->e->heads ==> 0 <= i < t->e->n ==> index == row(h, t->e->n) + i ==>
      zero_between(t->dy, joined_place(t->e, h, i), joined_place(t->e, h, i) + t->e->head_dim);
    terminates \true;
    assigns t->dy[0 .. joined_size(t->e) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures inputs: inputs_kept{Pre, Post}(t);
    ensures readable: heads_readable(t);
    ensures moved: row_moved{Pre, Post}(t, index);
    ensures others: other_rows_kept{Pre, Post}(t, index); */
static void derivative_row(const derivative *t, int index) {
  derivative_at(t, index);
  //@ assert places: same_places{Pre, Here}(t);
  //@ assert shape: same_shape{Pre, Here}(t->e);
  //@ assert arrays: same_arrays{Pre, Here}(t->e);
  //@ assert vectors: vectors_size(t->e) == vectors_size{Pre}(t->e) && rows_size(t->e) == rows_size{Pre}(t->e);
  //@ assert q: ends_kept{Pre, Here}(t->e->q, vectors_size(t->e));
  //@ assert k: ends_kept{Pre, Here}(t->e->k, vectors_size(t->e));
  //@ assert v: ends_kept{Pre, Here}(t->e->v, vectors_size(t->e));
  //@ assert y: ends_kept{Pre, Here}(t->e->y, vectors_size(t->e));
  //@ assert p: ends_kept{Pre, Here}(t->e->p, rows_size(t->e));
  //@ assert dq: ends_kept{Pre, Here}(t->dq, vectors_size(t->e));
  //@ assert dk: ends_kept{Pre, Here}(t->dk, vectors_size(t->e));
  //@ assert dv: ends_kept{Pre, Here}(t->dv, vectors_size(t->e));
  //@ assert inputs: inputs_kept{Pre, Here}(t);
  //@ assert sides: enclosure_sides(t->e);
  //@ assert encloses: layer_encloses(t->e);
  //@ assert live_q: live_vec(t->e->q, vectors_size(t->e));
  //@ assert live_k: live_vec(t->e->k, vectors_size(t->e));
  //@ assert live_v: live_vec(t->e->v, vectors_size(t->e));
  //@ assert live_y: live_vec(t->e->y, vectors_size(t->e));
  //@ assert live_p: live_vec(t->e->p, rows_size(t->e));
  //@ assert readable_e: enclosure_readable(t->e);
  //@ assert readable_dq: readable_vec(t->dq, vectors_size(t->e));
  //@ assert readable_dk: readable_vec(t->dk, vectors_size(t->e));
  //@ assert readable_dv: readable_vec(t->dv, vectors_size(t->e));
  //@ assert room_dy: room_for(t->dy, joined_size(t->e));
}
PARALLEL_TASK(derivative_row)

void direction_heads(derivative *t, int threads) {
  const int count = t->e->heads * t->e->n;
  //@ assert count: count == row(t->e->heads, t->e->n);
  /*@ loop invariant range: 0 <= parallel_index <= count;
      loop invariant lives: same_lives{Pre, Here};
      loop invariant inputs: inputs_kept{Pre, Here}(t);
      loop invariant readable: heads_readable(t);
      loop invariant places: t->dy == \at(t->dy, Pre) && t->e == \at(t->e, Pre) && t->e->n == \at(t->e->n, Pre) &&
        t->e->heads == \at(t->e->heads, Pre) && t->e->head_dim == \at(t->e->head_dim, Pre);
      loop invariant moved: \forall integer h, i; 0 <= h < \at(t->e->heads, Pre) ==> 0 <= i < \at(t->e->n, Pre) ==>
        row(h, \at(t->e->n, Pre)) + i < parallel_index ==> moved_token{Pre, Here}(t, h, i);
      loop invariant zero: \forall integer h, i; 0 <= h < \at(t->e->heads, Pre) ==> 0 <= i < \at(t->e->n, Pre) ==>
        parallel_index <= row(h, \at(t->e->n, Pre)) + i ==>
        zero_between(\at(t->dy, Pre), joined_place{Pre}(\at(t->e, Pre), h, i),
                     joined_place{Pre}(\at(t->e, Pre), h, i) + \at(t->e->head_dim, Pre));
      loop assigns parallel_index, t->dy[0 .. joined_size(t->e) - 1], mpfr_lives;
      loop variant count - parallel_index; */
  PARALLEL_FOR(count, threads, derivative_row, t);
  //@ assert all: \forall integer h, i; 0 <= h < t->e->heads ==> 0 <= i < t->e->n ==> row(h, t->e->n) + i < count;
}
