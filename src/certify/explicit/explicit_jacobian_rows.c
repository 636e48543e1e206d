#include "certify/explicit/explicit_jacobian_rows.h"

#include "certify/explicit/explicit_jacobian_blocks.h"
#include "certify/explicit/explicit_jacobian_places.h"
#include "certify/explicit/interval_midpoint.h"
#include "certify/explicit/rows_room.h"

#ifdef __FRAMAC__
#include "explicit_rows/maps_kept_lemmas.acsl"
#include "explicit_rows/midpoints_lemmas.acsl"
#include "explicit_rows/token_rows_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_matrix_lemmas.acsl"
#endif

/* The rows of token i, which are zero, from all heads. */
/*@ requires given: rows_given(b) && builder_distinct(b) && builder_blocks(b);
    requires token: 0 <= i < b->e->n;
    requires room: builder_room(rows, token_entries(b)) && \valid(w) && live(w) && \valid(ws) && live_scratch(ws);
    requires apart: outside_rows(\base_addr(rows), b) && outside_rows(\base_addr(w), b) &&
      outside_rows(\base_addr(ws), b);
    requires separated: \separated(rows + (0 .. token_entries(b) - 1), w, ws);
    requires zeros: \forall integer t; 0 <= t < token_entries(b) ==> in(rows + t, 0.0);
    terminates \true;
    assigns rows[0 .. token_entries(b) - 1], *w, *ws;
    ensures maps: maps_kept{Pre, Post}(b);
    ensures given: rows_given(b);
    ensures numbers: \forall mpfr_srcptr x; beside_rows(\base_addr(x), rows, w, ws) ==> unchanged{Pre, Post}(x);
    ensures contains: \forall real_layer f, rvec y; maps_model{Pre}(b, f) ==> is_token_rows(y, f, i) ==>
      in_vec(rows, y, 0, \at(token_entries(b), Pre)); */
static void add_heads(interval *rows, const jacobian_builder *b, int i, interval *w, interval_scratch *ws) {
  //@ assert positive: 1 <= b->e->dim && 1 <= b->e->n;
  //@ assert positive_columns: row(1, b->e->dim) <= builder_columns(b);
  /*@ assert sides: \forall real_layer f; maps_model(b, f) ==> token_entries(b) == token_size(f) &&
        layer_heads(f) == b->e->heads && 0 < layer_dim(f) && 0 < jacobian_columns(f); */
  //@ assert none: \forall real_layer f; maps_model(b, f) ==> rows_hold(rows, f, i, 0);
  /*@ loop invariant range: 0 <= h <= \at(b->e->heads, Pre);
      loop invariant maps: maps_kept{Pre, Here}(b);
      loop invariant given: rows_given(b) && builder_distinct(b) && builder_blocks(b);
      loop invariant numbers: \forall mpfr_srcptr x; beside_rows(\base_addr(x), rows, w, ws) ==>
        unchanged{Pre, Here}(x);
      loop invariant added: \forall real_layer f; maps_model{Pre}(b, f) ==> rows_hold(rows, f, i, h);
      loop assigns h, rows[0 .. token_entries{Pre}(b) - 1], *w, *ws;
      loop variant \at(b->e->heads, Pre) - h; */
  for (int h = 0; h < b->e->heads; h++) {
    //@ ghost Before:;
    //@ assert size: token_entries(b) == token_entries{Pre}(b) && b->e->heads == \at(b->e->heads, Pre);
    //@ assert models: \forall real_layer f; maps_model{Pre}(b, f) ==> maps_model(b, f);
    //@ assert beside_builder: beside_rows(\base_addr(b), rows, w, ws);
    //@ assert beside_layer: beside_rows(\base_addr(b->layer), rows, w, ws);
    //@ assert beside_enclosure: beside_rows(\base_addr(b->e), rows, w, ws);
    explicit_jacobian_blocks(rows, b, h, i, w, ws);
    //@ assert next: \forall real_layer f; maps_model{Pre}(b, f) ==> rows_hold(rows, f, i, h + 1);
    //@ assert height: b->height == \at(b->height, Before) && b->layer->out_dim == \at(b->layer->out_dim, Before);
    //@ assert same_places: same_places{Before, Here}(b);
    //@ assert n: b->e->n == \at(b->e->n, Before) && b->e->dim == \at(b->e->dim, Before);
    //@ assert heads: b->e->heads == \at(b->e->heads, Before) && b->e->head_dim == \at(b->e->head_dim, Before);
    //@ assert mask: b->e->mask == \at(b->e->mask, Before);
    //@ assert precision: b->e->precision == \at(b->e->precision, Before);
    //@ assert same_shape: same_shape{Before, Here}(b->e);
    //@ assert same_arrays: same_arrays{Before, Here}(b->e);
    //@ assert same_q: block_kept{Before, Here}(\base_addr(b->e->q));
    //@ assert same_k: block_kept{Before, Here}(\base_addr(b->e->k));
    //@ assert same_v: block_kept{Before, Here}(\base_addr(b->e->v));
    //@ assert same_y: block_kept{Before, Here}(\base_addr(b->e->y));
    //@ assert same_p: block_kept{Before, Here}(\base_addr(b->e->p));
    //@ assert same_enclosure: enclosure_kept{Before, Here}(b->e);
    //@ assert same_value: block_kept{Before, Here}(\base_addr(b->value));
    //@ assert same_channel: block_kept{Before, Here}(\base_addr(b->channel));
    //@ assert same_mean: block_kept{Before, Here}(\base_addr(b->mean));
    //@ assert same_g: block_kept{Before, Here}(\base_addr(b->g));
    //@ assert same_h: block_kept{Before, Here}(\base_addr(b->h));
    //@ assert same_maps: maps_kept{Before, Here}(b);
    //@ assert sides: builder_sides(b);
    //@ assert encloses: layer_encloses(b->e);
    //@ assert readable: enclosure_readable(b->e);
    //@ assert room: builder_maps(b);
    //@ assert apart: builder_distinct(b) && builder_blocks(b);
    //@ assert given: rows_given(b);
    //@ assert maps: maps_kept{Pre, Here}(b);
  }
  //@ assert count: b->e->heads == \at(b->e->heads, Pre);
  /*@ assert all: \forall real_layer f; maps_model{Pre}(b, f) ==> rows_hold(rows, f, i, layer_heads(f)); */
}

/* The same with room given, and the midpoints. */
/*@ requires given: rows_given(b) && builder_distinct(b) && builder_blocks(b) && midpoints_room(b);
    requires squares: \valid(b->squares + (0 .. b->e->n - 1)) && live_numbers(b->squares, b->e->n);
    requires token: 0 <= i < b->e->n && zero(&b->squares[i][0]);
    requires rows: zero_rows(rows, b);
    requires room: \valid(room) && owned_rows(room);
    requires apart: outside_all_rows(\base_addr(b->j->mid), b) && outside_all_rows(\base_addr(rows), b) &&
      outside_all_rows(\base_addr(room), b) && \base_addr(b->j->mid) != \base_addr(b->squares) &&
      \base_addr(rows) != \base_addr(b->squares) && \base_addr(room) != \base_addr(b->squares) &&
      \base_addr(rows) != \base_addr(b->j->mid) && \base_addr(room) != \base_addr(b->j->mid) &&
      \base_addr(rows) != \base_addr(room);
    terminates \true;
    assigns b->j->mid[row(i, token_entries(b)) .. row(i, token_entries(b)) + token_entries(b) - 1], b->squares[i][0],
      rows[0 .. token_entries(b) - 1], *room;
    ensures owned: owned_rows(room);
    ensures maps: maps_kept{Pre, Post}(b);
    ensures others: others_kept{Pre, Post}(b, i);
    ensures not_negative: at_least(&b->squares[i][0], 0.0);
    ensures bounded: token_bounded{Pre, Post}(b, i);
    ensures numbers: token_numbers{Pre, Post}(b, i); */
static void fill_rows(const jacobian_builder *b, int i, interval *rows, rows_room *room) {
  const size_t place = explicit_jacobian_place(b, i), size = explicit_jacobian_entries(b);
  point *const mid = b->j->mid + place;
  mpfr_ptr sum = b->squares[i];
  //@ assert place: 0 <= place && place + size <= all_entries(b) && size == token_entries(b);
  //@ assert mid: \valid(mid + (0 .. size - 1));
  //@ assert zero: zero(sum) && \valid(sum);
  //@ assert beside_sum: beside_rows(\base_addr(sum), rows, &room->w, &room->ws);
  add_heads(rows, b, i, &room->w, &room->ws);
  //@ ghost Rows:;
  //@ assert begin_jacobian: b->j->rows == \at(b->j->rows, Pre) && b->j->cols == \at(b->j->cols, Pre);
  //@ assert begin_squares: block_kept{Pre, Here}(\base_addr(b->squares));
  //@ assert begin_points: block_kept{Pre, Here}(\base_addr(b->j->mid));
  //@ assert others_begin: others_kept{Pre, Here}(b, i);
  //@ assert same_sum: unchanged{Pre, Here}(sum);
  //@ assert zero_sum: zero(sum);
  //@ assert sum: at_least(sum, 0.0);
  /*@ assert inside: \forall real_layer f, rvec y; maps_model{Pre}(b, f) ==> is_token_rows(y, f, i) ==>
        in_vec(rows, y, 0, size); */
  //@ assert beside_builder: beside_midpoints(\base_addr(b), mid, sum, &room->right[0], &room->left[0]);
  //@ assert beside_layer: beside_midpoints(\base_addr(b->layer), mid, sum, &room->right[0], &room->left[0]);
  //@ assert beside_enclosure: beside_midpoints(\base_addr(b->e), mid, sum, &room->right[0], &room->left[0]);
  //@ assert beside_jacobian: beside_midpoints(\base_addr(b->j), mid, sum, &room->right[0], &room->left[0]);
  interval_midpoints(mid, sum, rows, size, room->right, room->left);
  //@ assert same_jacobian: b->j->rows == \at(b->j->rows, Rows) && b->j->cols == \at(b->j->cols, Rows);
  /*@ assert apart_numbers: \forall integer k; 0 <= k < \at(b->e->n, Rows) ==> k != i ==>
        outside_midpoints(&b->squares[k][0], mid, size, sum, &room->right[0], &room->left[0]); */
  //@ assert other_numbers: other_numbers_kept{Rows, Here}(\at(b->squares, Rows), i, \at(b->e->n, Rows));
  /*@ assert apart_points: \forall integer u; 0 <= u < row(i, token_entries{Rows}(b)) ==>
        outside_midpoints(&(b->j->mid + u)->v[0], mid, size, sum, &room->right[0], &room->left[0]); */
  //@ assert earlier_points: same_points{Rows, Here}(\at(b->j->mid, Rows), row(i, token_entries{Rows}(b)));
  //@ assert others: others_kept{Rows, Here}(b, i);
  /*@ assert bounded: \forall real_layer f, rvec y, m; maps_model{Pre}(b, f) ==> is_token_rows(y, f, i) ==>
        in_vec{Rows}(rows, y, 0, size) ==> points_are(mid, m, size) ==>
        at_least(sum, squared_distance(y, m, size)); */
  //@ assert reached: at_least(sum, 0.0);
  //@ assert numbers: numbers_or_infinite(sum, mid, size);
  //@ assert height: b->height == \at(b->height, Rows) && b->layer->out_dim == \at(b->layer->out_dim, Rows);
  //@ assert same_places: same_places{Rows, Here}(b);
  //@ assert n: b->e->n == \at(b->e->n, Rows) && b->e->dim == \at(b->e->dim, Rows);
  //@ assert heads: b->e->heads == \at(b->e->heads, Rows) && b->e->head_dim == \at(b->e->head_dim, Rows);
  //@ assert mask: b->e->mask == \at(b->e->mask, Rows);
  //@ assert precision: b->e->precision == \at(b->e->precision, Rows);
  //@ assert same_shape: same_shape{Rows, Here}(b->e);
  //@ assert same_arrays: same_arrays{Rows, Here}(b->e);
  //@ assert same_q: block_kept{Rows, Here}(\base_addr(b->e->q));
  //@ assert same_k: block_kept{Rows, Here}(\base_addr(b->e->k));
  //@ assert same_v: block_kept{Rows, Here}(\base_addr(b->e->v));
  //@ assert same_y: block_kept{Rows, Here}(\base_addr(b->e->y));
  //@ assert same_p: block_kept{Rows, Here}(\base_addr(b->e->p));
  //@ assert same_value: block_kept{Rows, Here}(\base_addr(b->value));
  //@ assert same_channel: block_kept{Rows, Here}(\base_addr(b->channel));
  //@ assert same_mean: block_kept{Rows, Here}(\base_addr(b->mean));
  //@ assert same_g: block_kept{Rows, Here}(\base_addr(b->g));
  //@ assert same_h: block_kept{Rows, Here}(\base_addr(b->h));
  //@ assert same_enclosure: enclosure_kept{Rows, Here}(b->e);
  //@ assert same_maps: maps_kept{Rows, Here}(b);
}

void explicit_jacobian_rows(const jacobian_builder *b, int i, interval *rows) {
  rows_room room;
  //@ assert apart_sources: outside_sources(\base_addr(&room), b);
  //@ assert apart: outside_all_rows(\base_addr(&room), b);
  //@ assert apart_rows: \base_addr(&room) != \base_addr(rows);
  //@ assert apart_squares: \base_addr(&room) != \base_addr(b->squares);
  //@ assert apart_midpoints: \base_addr(&room) != \base_addr(b->j->mid);
  //@ assert local: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> \separated(x, &room);
  rows_room_init(&room, b->e->precision);
  //@ assert elsewhere: kept_elsewhere{Pre, Here}(\base_addr(&room));
  //@ assert lives_begin: same_lives{Pre, Here};
  //@ assert height: b->height == \at(b->height, Pre) && b->layer->out_dim == \at(b->layer->out_dim, Pre);
  //@ assert same_places: same_places{Pre, Here}(b);
  //@ assert n: b->e->n == \at(b->e->n, Pre) && b->e->dim == \at(b->e->dim, Pre);
  //@ assert heads: b->e->heads == \at(b->e->heads, Pre) && b->e->head_dim == \at(b->e->head_dim, Pre);
  //@ assert mask: b->e->mask == \at(b->e->mask, Pre);
  //@ assert precision: b->e->precision == \at(b->e->precision, Pre);
  //@ assert same_shape: same_shape{Pre, Here}(b->e);
  //@ assert same_arrays: same_arrays{Pre, Here}(b->e);
  //@ assert same_maps: maps_kept{Pre, Here}(b);
  //@ assert same_jacobian: b->j->rows == \at(b->j->rows, Pre) && b->j->cols == \at(b->j->cols, Pre);
  //@ assert others_begin: others_kept{Pre, Here}(b, i);
  //@ assert sides: builder_sides(b);
  //@ assert encloses: layer_encloses(b->e);
  //@ assert readable: enclosure_readable(b->e);
  //@ assert maps: builder_maps(b);
  //@ assert apart_begin: builder_distinct(b) && builder_blocks(b);
  //@ assert given: rows_given(b);
  //@ assert midpoints: midpoints_room(b);
  //@ assert squares: \valid(b->squares + (0 .. b->e->n - 1)) && live_numbers(b->squares, b->e->n);
  //@ assert same_sum: unchanged{Pre, Here}(&b->squares[i][0]);
  //@ assert zero: zero(&b->squares[i][0]);
  //@ assert size: token_entries(b) == token_entries{Pre}(b) && all_entries(b) == all_entries{Pre}(b);
  //@ assert rows_live: live_vec(rows, token_entries(b));
  //@ assert rows_room: builder_room(rows, token_entries(b));
  /*@ assert same_rows: \forall integer t; unchanged{Pre, Here}(&(rows + t)->lo[0]) &&
        unchanged{Pre, Here}(&(rows + t)->hi[0]); */
  //@ assert rows_kept: kept{Pre, Here}(rows, 0, token_entries(b));
  //@ assert entries: \forall integer t; 0 <= t < token_entries(b) ==> in{Pre}(rows + t, 0.0);
  //@ assert zero_entries: \forall integer t; 0 <= t < token_entries(b) ==> in(rows + t, 0.0);
  //@ assert zeros: zero_rows(rows, b);
  //@ ghost Begin:;
  fill_rows(b, i, rows, &room);
  //@ ghost Done:;
  //@ assert maps_done: maps_kept{Pre, Here}(b);
  //@ assert others: others_kept{Pre, Here}(b, i);
  //@ assert bounded: token_bounded{Pre, Here}(b, i);
  //@ assert numbers_begin: token_numbers{Begin, Here}(b, i);
  //@ assert numbers: token_numbers{Pre, Here}(b, i);
  rows_room_clear(&room);
  //@ assert later: kept_elsewhere{Done, Here}(\base_addr(&room));
  //@ assert end_height: b->height == \at(b->height, Done) && b->layer->out_dim == \at(b->layer->out_dim, Done);
  //@ assert end_same_places: same_places{Done, Here}(b);
  //@ assert end_n: b->e->n == \at(b->e->n, Done) && b->e->dim == \at(b->e->dim, Done);
  //@ assert end_heads: b->e->heads == \at(b->e->heads, Done) && b->e->head_dim == \at(b->e->head_dim, Done);
  //@ assert end_mask: b->e->mask == \at(b->e->mask, Done);
  //@ assert end_precision: b->e->precision == \at(b->e->precision, Done);
  //@ assert end_same_shape: same_shape{Done, Here}(b->e);
  //@ assert end_same_arrays: same_arrays{Done, Here}(b->e);
  //@ assert end_same_maps: maps_kept{Done, Here}(b);
  //@ assert end_jacobian: b->j->rows == \at(b->j->rows, Done) && b->j->cols == \at(b->j->cols, Done);
  //@ assert end_others: others_kept{Done, Here}(b, i);
  //@ assert end_midpoints: block_kept{Done, Here}(\base_addr(b->j->mid));
  //@ assert end_squares: block_kept{Done, Here}(\base_addr(&b->squares[i][0]));
  //@ assert end_sum: unchanged{Done, Here}(&b->squares[i][0]);
  //@ assert end_not_negative: at_least(&b->squares[i][0], 0.0);
  //@ assert end_bounded: token_bounded{Pre, Here}(b, i);
  //@ assert end_numbers: token_numbers{Pre, Here}(b, i);
}
