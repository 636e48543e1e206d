#include "certify/explicit/explicit_jacobian_heads.h"

#include "certify/enclosure/token_block.h"
#include "certify/explicit/explicit_jacobian_output.h"
#include "certify/explicit/explicit_jacobian_room.h"
#include "certify/explicit/head_maps.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_kept_lemmas.acsl"
#include "explicit_jacobian/builder_lemmas.acsl"
#include "explicit_jacobian/cells_lemmas.acsl"
#include "explicit_jacobian/head_columns_lemmas.acsl"
#include "explicit_jacobian/head_maps_lemmas.acsl"
#include "explicit_jacobian/transposed_weight_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#endif

/* W_h V_h of one head in place. */
/*@ requires ready: builder_ready(b);
    requires head: 0 <= head < b->e->heads;
    requires column: builder_room(column, b->e->head_dim + b->height) && \valid(ws) && live_scratch(ws);
    requires apart: outside_all(\base_addr(column), b) && outside_all(\base_addr(ws), b) &&
      \base_addr(column) != \base_addr(ws);
    terminates \true;
    assigns b->value[0 .. maps_size(b) - 1], column[0 .. b->e->head_dim + b->height - 1], *ws;
    ensures kept: builder_kept{Pre, Post}(b);
    ensures ready: builder_ready(b);
    ensures tokens: tokens_kept{Pre, Post}(b, all_tokens{Pre}(b->e));
    ensures earlier: ends_kept{Pre, Post}(\at(b->value, Pre), row(head, row(\at(b->height, Pre), \at(b->e->dim, Pre))));
    ensures maps: \forall real_layer f; builder_models{Pre}(b, f) ==> head_maps_in(b, f, head); */
static void fill_head(const jacobian_builder *b, int head, interval *column, interval_scratch *ws) {
  const int k = b->e->head_dim, d = b->e->dim;
  const head_output output = explicit_jacobian_output(b, head);
  const size_t at = token_block_matrix(head, b->height, d, b->e->heads);
  const size_t first = token_block_matrix(head, k, d, b->e->heads);
  interval *const maps = b->value + at;
  const double *const weight = b->layer->value_weight + first;
  //@ assert at: at == row(head, row(b->height, d)) && 0 <= at && at + row(b->height, d) <= maps_size(b);
  //@ assert first: first == row(head, row(k, d)) && 0 <= first && first + row(k, d) <= value_size(b);
  //@ assert output: output.k == k && output.height == b->height;
  //@ assert room: builder_room(maps, row(output.height, d));
  //@ assert readable: \valid_read(weight + (0 .. row(k, d) - 1));
  //@ assert finite: finite_weights(b->layer->value_weight + row(head, row(k, d)), row(k, d));
  //@ assert outside: output.weight != \null ==> \base_addr(output.weight) == \base_addr(b->output);
  //@ assert apart_column: head_output_outside(output, column, output.k + output.height, ws);
  //@ assert apart_maps: head_output_outside(output, maps, row(output.height, d), ws);
  /*@ assert separated: \separated(maps + (0 .. row(output.height, d) - 1),
        column + (0 .. output.k + output.height - 1), ws, weight + (0 .. row(output.k, d) - 1)); */
  /*@ assert sides: \forall real_layer f; builder_models(b, f) ==> layer_dim(f) == d && layer_head_dim(f) == k; */
  /*@ assert weights: \forall real_layer f; builder_models(b, f) ==>
        weights_are(weight, layer_weight(f, layer_value_weight(f), head), row(output.k, d)); */
  /*@ assert matrix: output.weight != \null ==> \forall real_layer f; builder_models(b, f) ==>
        is_output(output, layer_output_part(f, head)) && layer_weighted(f) == 1 &&
        layer_width(f) == output.width; */
  //@ assert copy: output.weight == \null ==> \forall real_layer f; builder_models(b, f) ==> layer_weighted(f) == 0;
  head_maps_fill(maps, weight, d, output, column, ws);
  //@ assert each: \forall integer c; 0 <= c < d ==> column_pushed{Pre, Here}(maps, weight, d, output, c);
  /*@ assert pushed: output.weight != \null ==> \forall rvec w, u, integer c; 0 <= c < d ==>
        column_pushed{Pre, Here}(maps, weight, d, output, c) ==> is_output{Pre}(output, w) ==>
        weights_are{Pre}(weight, u, row(output.k, d)) ==>
        in_column(maps, d, c, real_output(w, output.width, output.k, matrix_column(u, d, c)), output.height); */
  /*@ assert copied: output.weight == \null ==> \forall rvec u, integer c; 0 <= c < d ==>
        column_pushed{Pre, Here}(maps, weight, d, output, c) ==> weights_are{Pre}(weight, u, row(output.k, d)) ==>
        in_column(maps, d, c, matrix_column(u, d, c), output.height); */
  /*@ assert through: output.weight != \null ==> \forall real_layer f, integer c; builder_models{Pre}(b, f) ==>
        head_column(f, head, c) == real_output(layer_output_part(f, head), output.width, output.k,
        matrix_column(layer_weight(f, layer_value_weight(f), head), d, c)); */
  /*@ assert taken: output.weight == \null ==> \forall real_layer f, integer c; builder_models{Pre}(b, f) ==>
        head_column(f, head, c) == matrix_column(layer_weight(f, layer_value_weight(f), head), d, c); */
  /*@ assert columns_through: output.weight != \null ==> \forall real_layer f, integer c; builder_models{Pre}(b, f) ==>
        0 <= c < d ==> in_column(maps, d, c, real_output(layer_output_part(f, head), output.width, output.k,
        matrix_column(layer_weight(f, layer_value_weight(f), head), d, c)), output.height); */
  /*@ assert columns_taken: output.weight == \null ==> \forall real_layer f, integer c; builder_models{Pre}(b, f) ==>
        0 <= c < d ==> in_column(maps, d, c, matrix_column(layer_weight(f, layer_value_weight(f), head), d, c),
        output.height); */
  /*@ assert columns_weighted: output.weight != \null ==> \forall real_layer f, integer c; builder_models{Pre}(b, f) ==>
        0 <= c < d ==> in_column(maps, d, c, head_column(f, head, c), output.height); */
  /*@ assert columns_copied: output.weight == \null ==> \forall real_layer f, integer c; builder_models{Pre}(b, f) ==>
        0 <= c < d ==> in_column(maps, d, c, head_column(f, head, c), output.height); */
  /*@ assert cells: \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_matrix(maps, head_maps(f, head), output.height, d); */
  /*@ assert maps: \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(maps, head_maps(f, head), 0, row(output.height, d)); */
  //@ assert same_places: same_places{Pre, Here}(b);
  //@ assert n: b->e->n == \at(b->e->n, Pre) && b->e->dim == \at(b->e->dim, Pre);
  //@ assert heads: b->e->heads == \at(b->e->heads, Pre) && b->e->head_dim == \at(b->e->head_dim, Pre);
  //@ assert mask: b->e->mask == \at(b->e->mask, Pre);
  //@ assert precision: b->e->precision == \at(b->e->precision, Pre);
  //@ assert same_shape: same_shape{Pre, Here}(b->e);
  //@ assert same_arrays: same_arrays{Pre, Here}(b->e);
  /*@ assert others: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(maps) ==>
        \base_addr(x) != \base_addr(column) ==> \base_addr(x) != \base_addr(ws) ==> unchanged{Pre, Here}(x); */
  //@ assert same_q: block_kept{Pre, Here}(\base_addr(b->e->q));
  //@ assert same_k: block_kept{Pre, Here}(\base_addr(b->e->k));
  //@ assert same_v: block_kept{Pre, Here}(\base_addr(b->e->v));
  //@ assert same_y: block_kept{Pre, Here}(\base_addr(b->e->y));
  //@ assert same_p: block_kept{Pre, Here}(\base_addr(b->e->p));
  //@ assert same_enclosure: enclosure_kept{Pre, Here}(b->e);
  //@ assert same_keys: block_kept{Pre, Here}(\base_addr(b->keys));
  //@ assert same_queries: block_kept{Pre, Here}(\base_addr(b->queries));
  //@ assert same_output: block_kept{Pre, Here}(\base_addr(b->output));
  //@ assert same_weights: doubles_kept{Pre, Here}(\base_addr(b->layer->value_weight));
  //@ assert kept: builder_kept{Pre, Here}(b);
  //@ assert content: builder_content(b);
  //@ assert live: builder_live(b);
  //@ assert readable_later: enclosure_readable(b->e);
  //@ assert room_maps: builder_maps(b);
  //@ assert points: builder_weights(b);
  //@ assert arrays: builder_arrays(b);
  //@ assert blocks: builder_blocks(b) && builder_distinct(b);
  //@ assert ready: builder_ready(b);
  /*@ assert below: \forall integer t; 0 <= t < at ==>
        \separated(b->value + t, maps + (0 .. row(output.height, d) - 1)); */
  /*@ assert low: \forall interval *x; \separated(x, maps + (0 .. row(output.height, d) - 1)) ==>
        \separated(x, column + (0 .. output.k + output.height - 1)) ==> \separated(x, ws) ==>
        unchanged{Pre, Here}(&x->lo[0]); */
  /*@ assert high: \forall interval *x; \separated(x, maps + (0 .. row(output.height, d) - 1)) ==>
        \separated(x, column + (0 .. output.k + output.height - 1)) ==> \separated(x, ws) ==>
        unchanged{Pre, Here}(&x->hi[0]); */
  //@ assert same_g: block_kept{Pre, Here}(\base_addr(b->g));
  //@ assert same_h: block_kept{Pre, Here}(\base_addr(b->h));
  //@ assert same_values: block_kept{Pre, Here}(\base_addr(b->channel));
  //@ assert same_means: block_kept{Pre, Here}(\base_addr(b->mean));
  //@ assert tokens: tokens_kept{Pre, Here}(b, all_tokens(b->e));
  //@ assert earlier: ends_kept{Pre, Here}(b->value, at);
}

void explicit_jacobian_head(const jacobian_builder *b, int head, interval *column) {
  token_room room;
  //@ assert apart: outside_all(\base_addr(&room), b) && \base_addr(&room) != \base_addr(column);
  //@ assert local: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> \separated(x, &room);
  explicit_jacobian_room_init(&room, b);
  //@ assert lives_begin: same_lives{Pre, Here};
  //@ assert sides: b->e->head_dim == \at(b->e->head_dim, Pre) && b->height == \at(b->height, Pre);
  //@ assert sizes: b->value == \at(b->value, Pre) && maps_size(b) == maps_size{Pre}(b);
  //@ assert column_live: live_vec(column, b->e->head_dim + b->height);
  //@ assert column: builder_room(column, b->e->head_dim + b->height);
  //@ assert begin: ends_kept{Pre, Here}(b->value, row(head, row(b->height, b->e->dim)));
  //@ assert models: \forall real_layer f; builder_models{Pre}(b, f) ==> builder_models(b, f);
  fill_head(b, head, column, &room.ws);
  //@ ghost Done:;
  //@ assert lives_done: same_lives{Pre, Here};
  //@ assert owned: owned_room(&room);
  //@ assert kept_done: builder_kept{Pre, Here}(b);
  //@ assert tokens_done: tokens_kept{Pre, Here}(b, all_tokens{Pre}(b->e));
  //@ assert done: ends_kept{Pre, Here}(\at(b->value, Pre), row(head, row(\at(b->height, Pre), \at(b->e->dim, Pre))));
  //@ assert maps: \forall real_layer f; builder_models{Pre}(b, f) ==> head_maps_in(b, f, head);
  explicit_jacobian_room_clear(&room) /*@ ghost (b) */;
  //@ assert lives_end: same_lives{Pre, Here};
  //@ assert kept_end: builder_kept{Pre, Here}(b);
  //@ assert tokens_end: tokens_kept{Done, Here}(b, all_tokens{Pre}(b->e));
  //@ assert value: ends_kept{Done, Here}(b->value, maps_size(b));
  /*@ assert inside: 0 <= row(head, row(b->height, b->e->dim)) &&
        row(head, row(b->height, b->e->dim)) + row(b->height, b->e->dim) <= maps_size(b); */
  //@ assert end: ends_kept{Done, Here}(b->value, row(head, row(b->height, b->e->dim)));
  //@ assert still: \forall real_layer f; builder_models{Pre}(b, f) ==> head_maps_in(b, f, head);
  //@ assert live: builder_live(b);
}
