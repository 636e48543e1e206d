#include "certify/explicit/explicit_jacobian_tokens.h"

#include "certify/enclosure/token_block.h"
#include "certify/explicit/head_maps.h"
#include "certify/explicit/token_maps.h"
#include "interval/interval_vec.h"
#include "kernel/linear/index.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_kept.acsl"
#include "explicit_jacobian/builder_lemmas.acsl"
#include "explicit_jacobian/output_lemmas.acsl"
#include "explicit_jacobian/projections_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_matrix_lemmas.acsl"
#endif

/*@ predicate is_head_output{L}(jacobian_builder *b, head_output f, integer h) =
      (b->output == \null <==> f.weight == \null) &&
      (b->output != \null ==> f.weight == b->output + row(h, b->e->head_dim)) &&
      f.width == output_width(b) && f.k == b->e->head_dim && f.height == b->height;
    predicate outside_all{L}(char *x, jacobian_builder *b) = outside_sources(x, b) && outside_builder(x, b); */

/* The columns of W_O of one head. */
/*@ requires given: builder_given(b) && builder_weights(b);
    requires head: 0 <= head < b->e->heads;
    terminates \true;
    assigns \nothing;
    ensures output: is_head_output(b, \result, head);
    ensures readable: head_output_readable(\result);
    ensures matrix: \forall real_layer f; builder_models(b, f) ==> \result.weight != \null ==>
      is_output(\result, layer_output_part(f, head)); */
static head_output output_of(const jacobian_builder *b, int head) {
  const int k = b->e->head_dim, first = row_offset(head, k, b->e->heads);
  const head_output output = {.weight = b->output != NULL ? b->output + first : NULL,
                              .width = row_offset(b->e->heads, k, b->e->heads),
                              .k = k,
                              .height = b->height};
  //@ assert columns: 0 <= first && first + k <= output.width == output_width(b);
  /*@ assert rows: \forall integer o; 0 <= o < b->layer->out_dim ==>
        0 <= row(o, output.width) && row(o, output.width) + output.width <= output_points(b); */
  //@ assert begin: 0 < b->layer->out_dim && 0 <= row(0, output.width) == 0 && first + k <= output_points(b);
  //@ assert there: b->output != \null ==> \valid_read(output.weight);
  //@ assert null: b->output == \null <==> output.weight == \null;
  //@ assert output: is_head_output(b, output, head);
  /*@ assert row_points: b->output != \null ==> \forall integer o; 0 <= o < output.height ==>
        points(b->output + (first + row(o, output.width)), k); */
  /*@ assert row_live: b->output != \null ==> \forall integer o; 0 <= o < output.height ==>
        live_points(b->output + (first + row(o, output.width)), k); */
  /*@ assert row_valid: b->output != \null ==> \forall integer o; 0 <= o < output.height ==>
        \valid_read(b->output + (first + row(o, output.width)) + (0 .. k - 1)); */
  /*@ assert row_readable: b->output != \null ==> \forall integer o; 0 <= o < output.height ==>
        output_row_readable(b->output + (first + row(o, output.width)), k); */
  /*@ assert row_places: b->output != \null ==> \forall integer o;
        output.weight + row(o, output.width) == b->output + (first + row(o, output.width)); */
  //@ assert readable_weighted: output.weight != \null ==> head_output_readable(output);
  //@ assert readable_copied: output.weight == \null ==> head_output_readable(output);
  //@ assert readable: head_output_readable(output);
  /*@ assert entries: b->output != \null ==> \forall rvec w; is_vec(b->output, w, 0, output_points(b)) ==>
        \forall integer o; 0 <= o < output.height ==>
        is_vec(b->output + (row(head, k) + row(o, output.width)),
               matrix_row(matrix_row(w, k, head), output.width, o), 0, k); */
  return output;
}

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
/*@ requires given: builder_given(b) && builder_arrays(b);
    requires blocks: builder_blocks(b) && builder_distinct(b);
    requires token: 0 <= h < b->e->heads && 0 <= i < b->e->n;
    requires room: \valid_read(root) && live(root) && \valid(ws) && live_scratch(ws) && \separated(ws, root);
    requires root: in(root, rroot(b->e->head_dim));
    requires apart: outside_all(\base_addr(ws), b) && outside_all(\base_addr(root), b);
    terminates \true;
    assigns b->g[row(token_index(b->e, h, i), b->e->dim) .. row(token_index(b->e, h, i), b->e->dim) + b->e->dim - 1],
      b->h[row(token_index(b->e, h, i), b->e->dim) .. row(token_index(b->e, h, i), b->e->dim) + b->e->dim - 1],
      b->channel[row(token_index(b->e, h, i), b->height) ..
      row(token_index(b->e, h, i), b->height) + b->height - 1],
      b->mean[row(token_index(b->e, h, i), b->height) .. row(token_index(b->e, h, i), b->height) + b->height - 1], *ws;
    ensures places: same_places{Pre, Post}(b);
    ensures sources: sources_kept{Pre, Post}(b);
    ensures earlier_g: ends_kept{Pre, Post}(b->g, row(token_index(b->e, h, i), b->e->dim));
    ensures earlier_h: ends_kept{Pre, Post}(b->h, row(token_index(b->e, h, i), b->e->dim));
    ensures earlier_values: ends_kept{Pre, Post}(b->channel, row(token_index(b->e, h, i), b->height));
    ensures earlier_means: ends_kept{Pre, Post}(b->mean, row(token_index(b->e, h, i), b->height));
    ensures prepared: \forall real_layer f; builder_models{Pre}(b, f) ==> token_maps_in(b, f, h, i); */
static void prepare_in_place(const jacobian_builder *b, int h, int i, const interval *root, interval_scratch *ws) {
  const layer_enclosure *const e = b->e;
  const token_sources sources = sources_of(b, h, i, root);
  const head_output output = output_of(b, h);
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
  //@ assert room_g: builder_room(b->g + at, sources.d);
  //@ assert room_h: builder_room(b->h + at, sources.d);
  //@ assert room_value: builder_room(b->channel + here, output.height);
  //@ assert room_mean: builder_room(b->mean + here, output.height);
  //@ assert room: token_maps_room(maps, sources.d, output.height);
  //@ assert live_v: live_vec(v, output.k);
  //@ assert live_y: live_vec(y, output.k);
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
  //@ assert beside_layer: \base_addr(maps.g) != \base_addr(b->layer) && \base_addr(ws) != \base_addr(b->layer);
  //@ assert beside_g: \separated(maps.g + (0 .. sources.d - 1), b) && \separated(maps.g + (0 .. sources.d - 1), e);
  //@ assert beside_h: \separated(maps.h + (0 .. sources.d - 1), b) && \separated(maps.h + (0 .. sources.d - 1), e);
  /*@ assert beside_value: \separated(maps.value + (0 .. output.height - 1), b) &&
        \separated(maps.value + (0 .. output.height - 1), e); */
  /*@ assert beside_mean: \separated(maps.mean + (0 .. output.height - 1), b) &&
        \separated(maps.mean + (0 .. output.height - 1), e); */
  //@ assert beside_scratch: \separated(ws, b) && \separated(ws, e);
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
  //@ assert same_keys: same_points{Pre, Here}(b->keys, weights_size{Pre}(b));
  //@ assert same_queries: same_points{Pre, Here}(b->queries, weights_size{Pre}(b));
  //@ assert same_output: b->output != \null ==> same_points{Pre, Here}(b->output, output_points{Pre}(b));
  //@ assert same_weights: weights_kept{Pre, Here}(b->layer->value_weight, value_size{Pre}(b));
  //@ assert same_sources: sources_kept{Pre, Here}(b);
  //@ assert earlier_g: ends_kept{Pre, Here}(b->g, at);
  //@ assert earlier_h: ends_kept{Pre, Here}(b->h, at);
  //@ assert earlier_values: ends_kept{Pre, Here}(b->channel, here);
  //@ assert earlier_means: ends_kept{Pre, Here}(b->mean, here);
}

/* What one token needs besides. */
typedef struct {
  interval_scratch ws;
  interval root;
} token_scratch;

void explicit_jacobian_token(jacobian_builder *b, int index) {
  const layer_enclosure *const e = b->e;
  token_scratch z;
  interval_scratch_init(&z.ws, e->precision);
  interval_init(&z.root, e->precision);
  layer_enclosure_root(&z.root, e);
  prepare_in_place(b, index / e->n, index % e->n, &z.root, &z.ws);
  interval_clear(&z.root);
  interval_scratch_clear(&z.ws);
}

void explicit_jacobian_head(jacobian_builder *b, int head) {
  const int k = b->e->head_dim, d = b->e->dim;
  interval *const column = jacobian_builder_column(b);
  if (column == NULL) {
    atomic_store(&b->failed, true);
    return;
  }
  interval_scratch ws;
  interval_scratch_init(&ws, b->e->precision);
  head_maps_fill(b->value + token_block_matrix(head, b->height, d, b->e->heads),
                 b->layer->value_weight + token_block_matrix(head, k, d, b->e->heads), d, output_of(b, head), column,
                 &ws);
  interval_scratch_clear(&ws);
  interval_vec_free(column);
}
