#include "certify/explicit/explicit_jacobian_tokens.h"

#include "certify/enclosure/token_block.h"
#include "certify/explicit/explicit_jacobian_output.h"
#include "certify/explicit/explicit_jacobian_room.h"
#include "certify/explicit/token_maps.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_kept_lemmas.acsl"
#include "explicit_jacobian/builder_lemmas.acsl"
#include "explicit_jacobian/projections_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_matrix_lemmas.acsl"
#endif

/*@ predicate are_sources_of{L}(jacobian_builder *b, token_sources s, integer h, integer i, interval *root) =
      s.k == b->e->head_dim && s.d == b->e->dim && s.root == root &&
      s.query == b->e->q + row(token_index(b->e, h, i), b->e->head_dim) &&
      s.key == b->e->k + row(token_index(b->e, h, i), b->e->head_dim) &&
      s.key_weight == b->keys + row(h, row(b->e->dim, b->e->head_dim)) &&
      s.query_weight == b->queries + row(h, row(b->e->dim, b->e->head_dim));
    predicate sources_hold{L}(token_sources s, real_layer f, integer h, integer i) =
      in_vec(s.query, layer_token(f, layer_queries(f), row(h, layer_tokens(f)) + i), 0, s.k) &&
      in_vec(s.key, layer_token(f, layer_keys(f), row(h, layer_tokens(f)) + i), 0, s.k) &&
      is_transposed(s.key_weight, layer_weight(f, layer_key_weight(f), h), s.k, s.d) &&
      is_transposed(s.query_weight, layer_weight(f, layer_query_weight(f), h), s.k, s.d); */

/* What g_i and h_i of one token of one head are made of. */
/*@ requires given: builder_given(b) && builder_weights(b);
    requires token: 0 <= h < b->e->heads && 0 <= i < b->e->n;
    requires root: \valid_read(root) && live(root);
    terminates \true;
    assigns \nothing;
    ensures sources: are_sources_of(b, \result, h, i, root);
    ensures readable: token_sources_readable(\result);
    ensures holds: \forall real_layer f; builder_models(b, f) ==> sources_hold(\result, f, h, i); */
static token_sources sources_of(const jacobian_builder *b, int h, int i, const interval *root) {
  const layer_enclosure *const e = b->e;
  const size_t vec = layer_enclosure_vec(e, h, i), weights = token_block_matrix(h, e->dim, e->head_dim, e->heads);
  const token_sources sources = {.k = e->head_dim,
                                 .d = e->dim,
                                 .query = e->q + vec,
                                 .key = e->k + vec,
                                 .key_weight = b->keys + weights,
                                 .query_weight = b->queries + weights,
                                 .root = root};
  //@ assert numbers: sources.k == e->head_dim && sources.d == e->dim && sources.root == root;
  //@ assert vec: vec == row(token_index(e, h, i), e->head_dim) && 0 <= vec && vec + e->head_dim <= vectors_size(e);
  //@ assert weights: weights == row(h, row(e->dim, e->head_dim)) && 0 <= weights;
  //@ assert weights_end: weights + row(e->dim, e->head_dim) <= weights_size(b);
  //@ assert sources: are_sources_of(b, sources, h, i, root);
  //@ assert query_live: live_vec(sources.query, sources.k);
  //@ assert key_live: live_vec(sources.key, sources.k);
  //@ assert query_readable: \valid_read(sources.query + (0 .. sources.k - 1));
  //@ assert key_readable: \valid_read(sources.key + (0 .. sources.k - 1));
  //@ assert key_weight_live: live_points(sources.key_weight, row(sources.d, sources.k));
  //@ assert query_weight_live: live_points(sources.query_weight, row(sources.d, sources.k));
  //@ assert key_weight_readable: \valid_read(sources.key_weight + (0 .. row(sources.d, sources.k) - 1));
  //@ assert query_weight_readable: \valid_read(sources.query_weight + (0 .. row(sources.d, sources.k) - 1));
  //@ assert key_points: rows_of_points(sources.key_weight, sources.k, sources.d);
  //@ assert query_points: rows_of_points(sources.query_weight, sources.k, sources.d);
  /*@ assert query: \forall real_layer f; layer_models(e, f) ==>
        in_vec(e->q + vec, layer_token(f, layer_queries(f), row(h, layer_tokens(f)) + i), 0, e->head_dim); */
  /*@ assert key: \forall real_layer f; layer_models(e, f) ==>
        in_vec(e->k + vec, layer_token(f, layer_keys(f), row(h, layer_tokens(f)) + i), 0, e->head_dim); */
  /*@ assert key_weight: \forall real_layer f; builder_models(b, f) ==>
        is_transposed(b->keys + weights, layer_weight(f, layer_key_weight(f), h), e->head_dim, e->dim); */
  /*@ assert query_weight: \forall real_layer f; builder_models(b, f) ==>
        is_transposed(b->queries + weights, layer_weight(f, layer_query_weight(f), h), e->head_dim, e->dim); */
  return sources;
}

/* All of one token of one head. */
/*@ requires ready: builder_ready(b);
    requires token: 0 <= h < b->e->heads && 0 <= i < b->e->n;
    requires room: \valid_read(root) && live(root) && \valid(ws) && live_scratch(ws) && \separated(ws, root);
    requires root: in(root, rroot(b->e->head_dim));
    requires apart: outside_all(\base_addr(ws), b) && outside_all(\base_addr(root), b);
    terminates \true;
    assigns b->g[0 .. gradients_size(b) - 1], b->h[0 .. gradients_size(b) - 1], b->channel[0 .. outputs_size(b) - 1],
      b->mean[0 .. outputs_size(b) - 1], *ws;
    ensures kept: builder_kept{Pre, Post}(b);
    ensures ready: builder_ready(b);
    ensures earlier: tokens_kept{Pre, Post}(b, token_index{Pre}(b->e, h, i));
    ensures prepared: \forall real_layer f; builder_models{Pre}(b, f) ==> token_maps_in(b, f, h, i); */
static void prepare_in_place(const jacobian_builder *b, int h, int i, const interval *root, interval_scratch *ws) {
  const layer_enclosure *const e = b->e;
  const token_sources sources = sources_of(b, h, i, root);
  const head_output output = explicit_jacobian_output(b, h);
  const size_t vec = layer_enclosure_vec(e, h, i), at = token_block(h, i, e->dim, e->heads, e->n),
               here = token_block(h, i, b->height, e->heads, e->n);
  const token_maps maps = {.g = b->g + at, .h = b->h + at, .value = b->channel + here, .mean = b->mean + here};
  const interval *const v = e->v + vec, *const y = e->y + vec;
  //@ assert at: at == row(token_index(e, h, i), e->dim) && 0 <= at && at + e->dim <= gradients_size(b);
  //@ assert here: here == row(token_index(e, h, i), b->height) && 0 <= here && here + b->height <= outputs_size(b);
  //@ assert vec: vec == row(token_index(e, h, i), e->head_dim) && 0 <= vec && vec + e->head_dim <= vectors_size(e);
  //@ assert places: maps.g == b->g + at && maps.h == b->h + at;
  //@ assert places_outputs: maps.value == b->channel + here && maps.mean == b->mean + here;
  //@ assert numbers: sources.d == e->dim && sources.k == e->head_dim == output.k && output.height == b->height;
  //@ assert inside_g: \subset(maps.g + (0 .. sources.d - 1), b->g + (0 .. gradients_size(b) - 1));
  //@ assert inside_h: \subset(maps.h + (0 .. sources.d - 1), b->h + (0 .. gradients_size(b) - 1));
  //@ assert inside_value: \subset(maps.value + (0 .. output.height - 1), b->channel + (0 .. outputs_size(b) - 1));
  //@ assert inside_mean: \subset(maps.mean + (0 .. output.height - 1), b->mean + (0 .. outputs_size(b) - 1));
  //@ assert room_g: builder_room(b->g + at, sources.d);
  //@ assert room_h: builder_room(b->h + at, sources.d);
  //@ assert room_value: builder_room(b->channel + here, output.height);
  //@ assert room_mean: builder_room(b->mean + here, output.height);
  //@ assert room: token_maps_room(maps, sources.d, output.height);
  //@ assert live_v: live_vec(v, output.k);
  //@ assert live_y: live_vec(y, output.k);
  //@ assert readable_values: \valid_read(e->v + (0 .. vectors_size(e) - 1));
  //@ assert readable_means: \valid_read(e->y + (0 .. vectors_size(e) - 1));
  //@ assert readable_value: \valid_read(e->v + vec + (0 .. e->head_dim - 1));
  //@ assert readable_mean: \valid_read(e->y + vec + (0 .. e->head_dim - 1));
  //@ assert readable_v: \valid_read(v + (0 .. output.k - 1));
  //@ assert readable_y: \valid_read(y + (0 .. output.k - 1));
  //@ assert apart_sources: token_sources_outside(sources, maps.g, maps.h, ws);
  //@ assert outside: output.weight != \null ==> \base_addr(output.weight) == \base_addr(b->output);
  //@ assert apart_output: head_output_outside(output, maps.value, output.height, ws);
  //@ assert apart_mean: head_output_outside(output, maps.mean, output.height, ws);
  //@ assert apart_gradients: head_output_outside(output, maps.g, sources.d, ws);
  //@ assert apart_keys: head_output_outside(output, maps.h, sources.d, ws);
  //@ assert apart: token_maps_apart(maps, sources, v, y, output, ws);
  /*@ assert gradient: \forall real_layer f; builder_models(b, f) ==> sources_hold(sources, f, h, i) &&
        layer_dim(f) == sources.d && layer_head_dim(f) == sources.k; */
  /*@ assert value: \forall real_layer f; builder_models(b, f) ==>
        in_vec(v, layer_token(f, layer_values(f), row(h, layer_tokens(f)) + i), 0, output.k); */
  /*@ assert encloses: \forall real_layer f; layer_models(e, f) ==>
        row_encloses(e, layer_queries(f), layer_keys(f), layer_values(f), h, i); */
  /*@ assert attention: \forall real_layer f; layer_models(e, f) ==>
        in_vec(e->y + row(token_index(e, h, i), e->head_dim), head_attention_output(f, h, i), 0, e->head_dim); */
  /*@ assert mean: \forall real_layer f; builder_models(b, f) ==>
        in_vec(y, head_attention_output(f, h, i), 0, output.k); */
  /*@ assert matrix: output.weight != \null ==> \forall real_layer f; builder_models(b, f) ==>
        is_output(output, layer_output_part(f, h)) && layer_weighted(f) == 1 && layer_width(f) == output.width &&
        layer_head_dim(f) == output.k; */
  //@ assert copy: output.weight == \null ==> \forall real_layer f; builder_models(b, f) ==> layer_weighted(f) == 0;
  //@ assert positive: 0.0 < rroot(sources.k) && in(root, rroot(sources.k));
  //@ assert block_q: other_block(\base_addr(e->q), maps, ws);
  //@ assert block_k: other_block(\base_addr(e->k), maps, ws);
  //@ assert block_v: other_block(\base_addr(e->v), maps, ws);
  //@ assert block_y: other_block(\base_addr(e->y), maps, ws);
  //@ assert block_p: other_block(\base_addr(e->p), maps, ws);
  //@ assert beside_g: \separated(maps.g + (0 .. sources.d - 1), b) && \separated(maps.g + (0 .. sources.d - 1), e);
  //@ assert beside_h: \separated(maps.h + (0 .. sources.d - 1), b) && \separated(maps.h + (0 .. sources.d - 1), e);
  /*@ assert beside_value: \separated(maps.value + (0 .. output.height - 1), b) &&
        \separated(maps.value + (0 .. output.height - 1), e); */
  /*@ assert beside_mean: \separated(maps.mean + (0 .. output.height - 1), b) &&
        \separated(maps.mean + (0 .. output.height - 1), e); */
  //@ assert beside_scratch: \separated(ws, b) && \separated(ws, e);
  //@ assert gradients: 0 <= at && at + sources.d <= gradients_size(b);
  //@ assert outputs: 0 <= here && here + output.height <= outputs_size(b);
  token_maps_fill(maps, sources, v, y, output, ws);
  /*@ assert g: \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(maps.g, head_query_gradient(f, h, i), 0, sources.d); */
  /*@ assert h: \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(maps.h, head_key_gradient(f, h, i), 0, sources.d); */
  /*@ assert value_weighted: output.weight != \null ==> \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(maps.value, head_value(f, h, i), 0, output.height); */
  /*@ assert value_copied: output.weight == \null ==> \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(maps.value, head_value(f, h, i), 0, output.height); */
  /*@ assert mean_weighted: output.weight != \null ==> \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(maps.mean, head_mean(f, h, i), 0, output.height); */
  /*@ assert mean_copied: output.weight == \null ==> \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(maps.mean, head_mean(f, h, i), 0, output.height); */
  //@ assert same_places: same_places{Pre, Here}(b);
  //@ assert same_q: block_kept{Pre, Here}(\base_addr(e->q));
  //@ assert same_k: block_kept{Pre, Here}(\base_addr(e->k));
  //@ assert same_v: block_kept{Pre, Here}(\base_addr(e->v));
  //@ assert same_y: block_kept{Pre, Here}(\base_addr(e->y));
  //@ assert same_p: block_kept{Pre, Here}(\base_addr(e->p));
  //@ assert same_enclosure: enclosure_kept{Pre, Here}(e);
  //@ assert same_keys: block_kept{Pre, Here}(\base_addr(b->keys));
  //@ assert same_queries: block_kept{Pre, Here}(\base_addr(b->queries));
  //@ assert same_output: block_kept{Pre, Here}(\base_addr(b->output));
  //@ assert same_weights: doubles_kept{Pre, Here}(\base_addr(b->layer->value_weight));
  //@ assert kept: builder_kept{Pre, Here}(b);
  //@ assert content: builder_content(b);
  //@ assert live: builder_live(b);
  //@ assert readable: enclosure_readable(e);
  //@ assert maps: builder_maps(b);
  //@ assert points: builder_weights(b);
  //@ assert arrays: builder_arrays(b);
  //@ assert blocks: builder_blocks(b) && builder_distinct(b);
  //@ assert given: builder_given(b);
  //@ assert ready: builder_ready(b);
  /*@ assert others: \forall interval *x; \separated(x, maps.g + (0 .. sources.d - 1)) ==>
        \separated(x, maps.h + (0 .. sources.d - 1)) ==> \separated(x, maps.value + (0 .. output.height - 1)) ==>
        \separated(x, maps.mean + (0 .. output.height - 1)) ==> \separated(x, ws) ==> same_ends{Pre, Here}(x); */
  //@ assert below_g: \forall integer t; 0 <= t < at ==> \separated(b->g + t, maps.g + (0 .. sources.d - 1));
  //@ assert below_h: \forall integer t; 0 <= t < at ==> \separated(b->h + t, maps.h + (0 .. sources.d - 1));
  /*@ assert below_value: \forall integer t; 0 <= t < here ==>
        \separated(b->channel + t, maps.value + (0 .. output.height - 1)); */
  /*@ assert below_mean: \forall integer t; 0 <= t < here ==>
        \separated(b->mean + t, maps.mean + (0 .. output.height - 1)); */
  //@ assert earlier_g: ends_kept{Pre, Here}(b->g, at);
  //@ assert earlier_h: ends_kept{Pre, Here}(b->h, at);
  //@ assert earlier_values: ends_kept{Pre, Here}(b->channel, here);
  //@ assert earlier_means: ends_kept{Pre, Here}(b->mean, here);
}

/* The same as prepare_in_place with room of its own. */
/*@ requires ready: builder_ready(b);
    requires token: 0 <= h < b->e->heads && 0 <= i < b->e->n;
    terminates \true;
    assigns b->g[0 .. gradients_size(b) - 1], b->h[0 .. gradients_size(b) - 1], b->channel[0 .. outputs_size(b) - 1],
      b->mean[0 .. outputs_size(b) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures kept: builder_kept{Pre, Post}(b);
    ensures live: builder_live(b);
    ensures earlier: tokens_kept{Pre, Post}(b, token_index{Pre}(b->e, h, i));
    ensures prepared: \forall real_layer f; builder_models{Pre}(b, f) ==> token_maps_in(b, f, h, i); */
static void prepare_token(const jacobian_builder *b, int h, int i) {
  token_room room;
  //@ assert apart: outside_all(\base_addr(&room), b);
  //@ assert local: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> \separated(x, &room);
  explicit_jacobian_room_init(&room, b);
  //@ ghost Begin:;
  //@ assert lives_begin: same_lives{Pre, Here};
  //@ assert token: 0 <= token_index(b->e, h, i) < all_tokens(b->e);
  //@ assert same_token: token_index(b->e, h, i) == token_index{Pre}(b->e, h, i);
  //@ assert sizes: gradients_size(b) == gradients_size{Pre}(b) && outputs_size(b) == outputs_size{Pre}(b);
  //@ assert places: same_places{Pre, Here}(b);
  //@ assert begin: tokens_kept{Pre, Here}(b, token_index(b->e, h, i));
  //@ assert models: \forall real_layer f; builder_models{Pre}(b, f) ==> builder_models(b, f);
  prepare_in_place(b, h, i, &room.root, &room.ws);
  //@ ghost Done:;
  //@ assert lives_done: same_lives{Pre, Here};
  //@ assert owned: owned_room(&room);
  //@ assert kept_done: builder_kept{Pre, Here}(b);
  //@ assert done: tokens_kept{Pre, Here}(b, token_index{Pre}(b->e, h, i));
  //@ assert prepared: \forall real_layer f; builder_models{Pre}(b, f) ==> token_maps_in(b, f, h, i);
  explicit_jacobian_room_clear(&room) /*@ ghost (b) */;
  //@ assert lives_end: same_lives{Pre, Here};
  //@ assert kept_end: builder_kept{Pre, Here}(b);
  //@ assert all: tokens_kept{Done, Here}(b, all_tokens{Pre}(b->e));
  //@ assert end: tokens_kept{Done, Here}(b, token_index{Pre}(b->e, h, i));
  //@ assert still: \forall real_layer f; builder_models{Pre}(b, f) ==> token_maps_in(b, f, h, i);
  //@ assert live: builder_live(b);
}

void explicit_jacobian_token(jacobian_builder *b, int index) {
  const int h = index / b->e->n, i = index % b->e->n;
  //@ assert division: h * b->e->n + i == index && 0 <= i < b->e->n && 0 <= h;
  //@ assert index: token_index(b->e, h, i) == index;
  //@ assert head: h < b->e->heads;
  /*@ assert unique: \forall integer g, j; 0 <= j < b->e->n ==> 0 <= g ==> row(g, b->e->n) + j == index ==>
        g == h && j == i; */
  prepare_token(b, h, i);
  //@ assert places: same_places{Pre, Here}(b);
  //@ assert content: builder_content(b);
  //@ assert sizes: gradients_size(b) == gradients_size{Pre}(b) && outputs_size(b) == outputs_size{Pre}(b);
  //@ assert sizes_maps: maps_size(b) == maps_size{Pre}(b) && weights_size(b) == weights_size{Pre}(b);
  //@ assert sizes_output: output_points(b) == output_points{Pre}(b);
  //@ assert live: builder_live(b);
  //@ assert readable: enclosure_readable(b->e);
  //@ assert maps: builder_maps(b);
  //@ assert points: builder_weights(b);
  //@ assert arrays: builder_arrays(b);
  //@ assert blocks: builder_blocks(b) && builder_distinct(b);
}
