#include "certify/explicit/explicit_jacobian_tokens.h"

#include "certify/enclosure/token_block.h"
#include "certify/explicit/head_maps.h"
#include "certify/explicit/token_maps.h"
#include "interval/interval_vec.h"
#include "kernel/linear/index.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_lemmas.acsl"
#include "explicit_jacobian/output_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_matrix_lemmas.acsl"
#endif

/*@ predicate is_head_output{L}(jacobian_builder *b, head_output f, integer h) =
      (b->output == \null ==> f.weight == \null) &&
      (b->output != \null ==> f.weight == b->output + row(h, b->e->head_dim)) &&
      f.width == output_width(b) && f.k == b->e->head_dim && f.height == b->height;
    predicate gradients_in{L}(jacobian_builder *b, real_layer f, integer h, integer i) =
      in_vec(b->g + row(token_index(b->e, h, i), b->e->dim), head_query_gradient(f, h, i), 0, b->e->dim) &&
      in_vec(b->h + row(token_index(b->e, h, i), b->e->dim), head_key_gradient(f, h, i), 0, b->e->dim);
    predicate outputs_in{L}(jacobian_builder *b, real_layer f, integer h, integer i) =
      in_vec(b->channel + row(token_index(b->e, h, i), b->height), head_value(f, h, i), 0, b->height) &&
      in_vec(b->mean + row(token_index(b->e, h, i), b->height), head_mean(f, h, i), 0, b->height);
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

/* g_i and h_i of one token of one head. */
/*@ requires given: builder_given(b) && builder_arrays(b);
    requires blocks: builder_blocks(b) && builder_distinct(b);
    requires token: 0 <= h < b->e->heads && 0 <= i < b->e->n;
    requires room: \valid_read(root) && live(root) && \valid(ws) && live_scratch(ws) && \separated(ws, root);
    requires root: in(root, rroot(b->e->head_dim));
    requires apart: outside_all(\base_addr(ws), b) && outside_maps(\base_addr(root), b);
    terminates \true;
    assigns b->g[row(token_index(b->e, h, i), b->e->dim) .. row(token_index(b->e, h, i), b->e->dim) + b->e->dim - 1],
      b->h[row(token_index(b->e, h, i), b->e->dim) .. row(token_index(b->e, h, i), b->e->dim) + b->e->dim - 1], *ws;
    ensures gradients: \forall real_layer f; builder_models{Pre}(b, f) ==> gradients_in(b, f, h, i); */
static void prepare_gradients(const jacobian_builder *b, int h, int i, const interval *root, interval_scratch *ws) {
  const layer_enclosure *const e = b->e;
  const size_t here = token_block(h, i, e->dim, e->heads, e->n), vec = layer_enclosure_vec(e, h, i);
  const size_t weights = token_block_matrix(h, e->dim, e->head_dim, e->heads);
  const token_sources sources = {.k = e->head_dim,
                                 .d = e->dim,
                                 .query = e->q + vec,
                                 .key = e->k + vec,
                                 .key_weight = b->keys + weights,
                                 .query_weight = b->queries + weights,
                                 .root = root};
  //@ assert here: here == row(token_index(e, h, i), e->dim) && 0 <= here && here + e->dim <= gradients_size(b);
  //@ assert weights: weights == row(h, row(e->dim, e->head_dim)) && 0 <= weights;
  //@ assert weights_end: weights + row(e->dim, e->head_dim) <= weights_size(b);
  //@ assert vec: vec == row(token_index(e, h, i), e->head_dim) && 0 <= vec && vec + e->head_dim <= vectors_size(e);
  //@ assert live_g: live_vec(b->g + here, e->dim) && live_vec(b->h + here, e->dim);
  //@ assert live_vectors: live_vec(e->q + vec, e->head_dim) && live_vec(e->k + vec, e->head_dim);
  //@ assert live_weights: live_points(b->keys + weights, row(e->dim, e->head_dim));
  //@ assert live_queries: live_points(b->queries + weights, row(e->dim, e->head_dim));
  //@ assert key_points: rows_of_points(b->keys + weights, e->head_dim, e->dim);
  //@ assert query_points: rows_of_points(b->queries + weights, e->head_dim, e->dim);
  /*@ assert query: \forall real_layer f; layer_models(e, f) ==>
        in_vec(e->q + vec, layer_token(f, layer_queries(f), row(h, layer_tokens(f)) + i), 0, e->head_dim); */
  /*@ assert key: \forall real_layer f; layer_models(e, f) ==>
        in_vec(e->k + vec, layer_token(f, layer_keys(f), row(h, layer_tokens(f)) + i), 0, e->head_dim); */
  /*@ assert key_weight: \forall real_layer f; builder_models(b, f) ==>
        is_transposed(b->keys + weights, layer_weight(f, layer_key_weight(f), h), e->head_dim, e->dim); */
  /*@ assert query_weight: \forall real_layer f; builder_models(b, f) ==>
        is_transposed(b->queries + weights, layer_weight(f, layer_query_weight(f), h), e->head_dim, e->dim); */
  //@ assert positive: 0.0 < rroot(e->head_dim);
  token_gradients(b->g + here, b->h + here, sources, ws);
  //@ assert fields: e == b->e && e->n == \at(b->e->n, Pre) && e->dim == sources.d && e->head_dim == sources.k;
  /*@ assert g: \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(b->g + here, head_query_gradient(f, h, i), 0, e->dim); */
  /*@ assert h: \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(b->h + here, head_key_gradient(f, h, i), 0, e->dim); */
}

/* W_h v_i and W_h y_i of one token of one head. */
/*@ requires given: builder_given(b) && builder_arrays(b);
    requires blocks: builder_blocks(b) && builder_distinct(b);
    requires token: 0 <= h < b->e->heads && 0 <= i < b->e->n;
    requires room: \valid(ws) && live_scratch(ws);
    requires apart: outside_all(\base_addr(ws), b);
    terminates \true;
    assigns b->channel[row(token_index(b->e, h, i), b->height) ..
      row(token_index(b->e, h, i), b->height) + b->height - 1],
      b->mean[row(token_index(b->e, h, i), b->height) .. row(token_index(b->e, h, i), b->height) + b->height - 1], *ws;
    ensures outputs: \forall real_layer f; builder_models{Pre}(b, f) ==> outputs_in(b, f, h, i); */
static void prepare_outputs(const jacobian_builder *b, int h, int i, interval_scratch *ws) {
  const layer_enclosure *const e = b->e;
  const size_t here = token_block(h, i, b->height, e->heads, e->n), vec = layer_enclosure_vec(e, h, i);
  const head_output output = output_of(b, h);
  //@ assert here: here == row(token_index(b->e, h, i), b->height) && 0 <= here && here + b->height <= outputs_size(b);
  //@ assert vec: vec == row(token_index(e, h, i), e->head_dim) && 0 <= vec && vec + e->head_dim <= vectors_size(e);
  //@ assert live_outputs: live_vec(b->channel + here, b->height) && live_vec(b->mean + here, b->height);
  //@ assert live_vectors: live_vec(e->v + vec, e->head_dim) && live_vec(e->y + vec, e->head_dim);
  /*@ assert value: \forall real_layer f; layer_models(e, f) ==>
        in_vec(e->v + vec, layer_token(f, layer_values(f), row(h, layer_tokens(f)) + i), 0, e->head_dim); */
  /*@ assert weights: \forall real_layer f; layer_models(e, f) ==>
        head_weights_of(f, h, i) == row_weights(e, layer_queries(f), layer_keys(f), h, i); */
  /*@ assert mean: \forall real_layer f; layer_models(e, f) ==>
        in_vec(e->y + vec, head_attention_output(f, h, i), 0, e->head_dim); */
  //@ assert outside: output.weight != \null ==> \base_addr(output.weight) == \base_addr(b->output);
  //@ assert apart: head_output_outside(output, b->channel + here, output.height, ws);
  //@ assert apart_mean: head_output_outside(output, b->mean + here, output.height, ws);
  token_outputs(b->channel + here, b->mean + here, e->v + vec, e->y + vec, output, ws);
  //@ assert fields: e == b->e && e->n == \at(b->e->n, Pre) && b->height == output.height && e->head_dim == output.k;
  /*@ assert matrix: \forall real_layer f; builder_models{Pre}(b, f) ==> output.weight != \null ==>
        is_output{Pre}(output, layer_output_part(f, h)) && layer_weighted(f) == 1 && layer_width(f) == output.width; */
  /*@ assert copy: \forall real_layer f; builder_models{Pre}(b, f) ==> output.weight == \null ==>
        layer_weighted(f) == 0; */
  /*@ assert value_weighted: output.weight != \null ==> \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(b->channel + here, head_value(f, h, i), 0, b->height); */
  /*@ assert value_copied: output.weight == \null ==> \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(b->channel + here, head_value(f, h, i), 0, b->height); */
  /*@ assert mean_weighted: output.weight != \null ==> \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(b->mean + here, head_mean(f, h, i), 0, b->height); */
  /*@ assert mean_copied: output.weight == \null ==> \forall real_layer f; builder_models{Pre}(b, f) ==>
        in_vec(b->mean + here, head_mean(f, h, i), 0, b->height); */
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
    ensures prepared: \forall real_layer f; builder_models{Pre}(b, f) ==> token_maps_in(b, f, h, i); */
static void prepare_in_place(const jacobian_builder *b, int h, int i, const interval *root, interval_scratch *ws) {
  prepare_gradients(b, h, i, root, ws);
  //@ ghost Gradients:;
  //@ assert first: \forall real_layer f; builder_models{Pre}(b, f) ==> gradients_in(b, f, h, i);
  //@ assert given: builder_given(b) && builder_arrays(b);
  //@ assert models: \forall real_layer f; builder_models{Pre}(b, f) ==> builder_models(b, f);
  prepare_outputs(b, h, i, ws);
  //@ assert same: \forall real_layer f; gradients_in{Gradients}(b, f, h, i) ==> gradients_in(b, f, h, i);
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
