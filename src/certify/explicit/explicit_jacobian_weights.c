#include "certify/explicit/explicit_jacobian_weights.h"

#include "certify/enclosure/block_offset.h"
#include "certify/explicit/transposed_weight.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_kept_lemmas.acsl"
#endif

/* The transposes of every head's part of a weight, as points in one of b's arrays. */
/*@ requires awaited: weights_awaited(b);
    requires array: out == b->keys || out == b->queries;
    requires precise: precise_points(out, weights_size(b));
    requires weight: weight == b->layer->key_weight || weight == b->layer->query_weight;
    terminates \true;
    assigns out[0 .. weights_size(b) - 1];
    ensures awaited: weights_awaited(b);
    ensures places: same_places{Pre, Post}(b) && enclosure_kept{Pre, Post}(\old(b->e));
    ensures others: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(out) ==> unchanged{Pre, Post}(x);
    ensures bits: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(out) ==> precision(x) == precision{Pre}(x);
    ensures doubles: \forall char *block; block != \base_addr(out) ==> doubles_kept{Pre, Post}(block);
    ensures points: heads_of_points(out, b->e->heads, b->e->head_dim, b->e->dim);
    ensures transposed: \forall rvec x; weights_are{Pre}(weight, x, value_size{Pre}(b)) ==>
      heads_transposed(out, x, b->e->heads, b->e->head_dim, b->e->dim); */
static void load_transposed(const jacobian_builder *b, point *out, const double *weight) {
  //@ assert room: builder_points(out, weights_size(b));
  //@ assert given: weights_given(weight, value_size(b)) && \base_addr(out) != \base_addr(weight);
  transposed_weight_load(out, weight, b->e->heads, b->e->head_dim, b->e->dim);
  //@ assert others: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(out) ==> unchanged{Pre, Here}(x);
  //@ assert places: same_places{Pre, Here}(b);
  //@ assert e: b->e == \at(b->e, Pre) && b->e->n == \at(b->e->n, Pre) && b->e->dim == \at(b->e->dim, Pre);
  //@ assert heads: b->e->heads == \at(b->e->heads, Pre) && b->e->head_dim == \at(b->e->head_dim, Pre);
  //@ assert mask: b->e->mask == \at(b->e->mask, Pre);
  //@ assert precision: b->e->precision == \at(b->e->precision, Pre);
  //@ assert same: same_shape{Pre, Here}(\at(b->e, Pre));
  //@ assert same_arrays: same_arrays{Pre, Here}(\at(b->e, Pre));
  //@ assert same_sizes: value_size(b) == value_size{Pre}(b) && output_points(b) == output_points{Pre}(b);
  /*@ assert kept: block_kept{Pre, Here}(\at(\base_addr(b->e->q), Pre)) &&
        block_kept{Pre, Here}(\at(\base_addr(b->e->k), Pre)) && block_kept{Pre, Here}(\at(\base_addr(b->e->v), Pre)) &&
        block_kept{Pre, Here}(\at(\base_addr(b->e->y), Pre)) && block_kept{Pre, Here}(\at(\base_addr(b->e->p), Pre)); */
  //@ assert enclosure: enclosure_kept{Pre, Here}(\at(b->e, Pre));
  //@ assert encloses: layer_encloses(b->e);
  //@ assert sides: builder_sides(b);
  //@ assert readable: enclosure_readable(b->e);
  //@ assert arrays: builder_arrays(b);
  //@ assert blocks: builder_blocks(b) && builder_distinct(b);
  //@ assert doubles_kept: \forall char *block; block != \base_addr(out) ==> doubles_kept{Pre, Here}(block);
  /*@ assert doubles: weights_given(b->layer->value_weight, value_size(b)) &&
        weights_given(b->layer->key_weight, value_size(b)) && weights_given(b->layer->query_weight, value_size(b)); */
  /*@ assert doubles_output: b->output != \null ==>
        weights_given(b->layer->output_weight, output_points(b)); */
}

/* W_O. */
/*@ requires awaited: weights_awaited(b) && b->output != \null;
    requires precise: precise_points(b->output, output_points(b));
    terminates \true;
    assigns b->output[0 .. output_points(b) - 1];
    ensures awaited: weights_awaited(b);
    ensures places: same_places{Pre, Post}(b) && enclosure_kept{Pre, Post}(\old(b->e));
    ensures others: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(b->output) ==> unchanged{Pre, Post}(x);
    ensures doubles: \forall char *block; block != \base_addr(b->output) ==> doubles_kept{Pre, Post}(block);
    ensures points: points(b->output, output_points(b));
    ensures vector: \forall rvec x; weights_are{Pre}(\old(b->layer->output_weight), x, output_points{Pre}(b)) ==>
      is_vec(b->output, x, 0, output_points(b)); */
static void load_output(const jacobian_builder *b) {
  //@ assert sides: 0 <= b->e->heads <= DIM_MAX && 0 <= b->e->head_dim <= DIM_MAX && 0 <= output_width(b) <= DIM_MAX;
  const size_t width = block_offset((size_t)b->e->heads, (size_t)b->e->head_dim);
  const size_t count = block_offset((size_t)b->layer->out_dim, width);
  //@ assert count: count == output_points(b);
  //@ assert room: builder_points(b->output, output_points(b));
  //@ assert given: weights_given(b->layer->output_weight, output_points(b));
  point_vec_set_d(b->output, b->layer->output_weight, count);
  /*@ assert weights_stay: \forall integer t; 0 <= t < count ==>
        \at(b->layer->output_weight, Pre)[t] == \at(b->layer->output_weight[t], Pre) &&
        finite_double(\at(b->layer->output_weight[t], Pre)); */
  /*@ assert exact: \forall integer t; 0 <= t < count ==> number(&(\at(b->output, Pre) + t)->v[0]) &&
        value(&(\at(b->output, Pre) + t)->v[0]) == \at(b->layer->output_weight[t], Pre); */
  /*@ assert vector: \forall rvec x; weights_are{Pre}(\at(b->layer->output_weight, Pre), x, count) ==>
        is_vec(\at(b->output, Pre), x, 0, count); */
  //@ assert others: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(b->output) ==> unchanged{Pre, Here}(x);
  //@ assert places: same_places{Pre, Here}(b);
  //@ assert e: b->e == \at(b->e, Pre) && b->e->n == \at(b->e->n, Pre) && b->e->dim == \at(b->e->dim, Pre);
  //@ assert heads: b->e->heads == \at(b->e->heads, Pre) && b->e->head_dim == \at(b->e->head_dim, Pre);
  //@ assert mask: b->e->mask == \at(b->e->mask, Pre);
  //@ assert precision: b->e->precision == \at(b->e->precision, Pre);
  //@ assert same: same_shape{Pre, Here}(\at(b->e, Pre));
  //@ assert same_arrays: same_arrays{Pre, Here}(\at(b->e, Pre));
  //@ assert same_sizes: value_size(b) == value_size{Pre}(b) && output_points(b) == output_points{Pre}(b);
  /*@ assert kept: block_kept{Pre, Here}(\at(\base_addr(b->e->q), Pre)) &&
        block_kept{Pre, Here}(\at(\base_addr(b->e->k), Pre)) && block_kept{Pre, Here}(\at(\base_addr(b->e->v), Pre)) &&
        block_kept{Pre, Here}(\at(\base_addr(b->e->y), Pre)) && block_kept{Pre, Here}(\at(\base_addr(b->e->p), Pre)); */
  //@ assert enclosure: enclosure_kept{Pre, Here}(\at(b->e, Pre));
  //@ assert encloses: layer_encloses(b->e);
  //@ assert same_sides: builder_sides(b);
  //@ assert readable: enclosure_readable(b->e);
  //@ assert arrays: builder_arrays(b);
  //@ assert blocks: builder_blocks(b) && builder_distinct(b);
  //@ assert doubles_kept: \forall char *block; block != \base_addr(b->output) ==> doubles_kept{Pre, Here}(block);
  /*@ assert doubles: weights_given(b->layer->value_weight, value_size(b)) &&
        weights_given(b->layer->key_weight, value_size(b)) && weights_given(b->layer->query_weight, value_size(b)); */
  /*@ assert doubles_output: b->output != \null ==>
        weights_given(b->layer->output_weight, output_points(b)); */
}

void explicit_jacobian_weights(jacobian_builder *b) {
  load_transposed(b, b->keys, b->layer->key_weight);
  //@ ghost Keys:;
  //@ assert precise_output: b->output != \null ==> precise_points(b->output, output_points(b));
  load_transposed(b, b->queries, b->layer->query_weight);
  //@ ghost Queries:;
  /*@ assert keys_stay: block_kept{Keys, Here}(\base_addr(b->keys)) && block_kept{Keys, Here}(\base_addr(b->squares)) &&
        doubles_kept{Pre, Here}(\base_addr(b->layer->value_weight)); */
  //@ assert keys: heads_of_points(b->keys, b->e->heads, b->e->head_dim, b->e->dim);
  /*@ assert keys_transposed: \forall real_layer f; layer_stored{Pre}(b, f) ==>
        heads_transposed(b->keys, layer_key_weight(f), b->e->heads, b->e->head_dim, b->e->dim); */
  /*@ assert queries_transposed: \forall real_layer f; layer_stored{Pre}(b, f) ==>
        heads_transposed(b->queries, layer_query_weight(f), b->e->heads, b->e->head_dim, b->e->dim); */
  //@ assert same_output: b->output == \at(b->output, Keys) && output_points(b) == output_points{Keys}(b);
  //@ assert precise: b->output != \null ==> precise_points(b->output, output_points(b));
  /*@ assert output_weights: b->output != \null ==> \forall real_layer f; layer_stored{Pre}(b, f) ==>
        weights_are(b->layer->output_weight, layer_output_weight(f), output_points(b)); */
  if (b->output != NULL) load_output(b);
  /*@ assert points_stay: block_kept{Queries, Here}(\base_addr(b->keys)) &&
        block_kept{Queries, Here}(\base_addr(b->queries)) && block_kept{Queries, Here}(\base_addr(b->squares)); */
  //@ assert values_stay: doubles_kept{Pre, Here}(\base_addr(b->layer->value_weight));
  //@ assert enclosure: enclosure_kept{Pre, Here}(b->e) && same_places{Pre, Here}(b);
  //@ assert layers: \forall real_layer f; layer_stored{Pre}(b, f) ==> layer_models(b->e, f);
  /*@ assert keys_end: \forall real_layer f; layer_stored{Pre}(b, f) ==>
        heads_transposed(b->keys, layer_key_weight(f), b->e->heads, b->e->head_dim, b->e->dim); */
  /*@ assert queries_end: \forall real_layer f; layer_stored{Pre}(b, f) ==>
        heads_transposed(b->queries, layer_query_weight(f), b->e->heads, b->e->head_dim, b->e->dim); */
  /*@ assert values: \forall real_layer f; layer_stored{Pre}(b, f) ==>
        weights_are(b->layer->value_weight, layer_value_weight(f), value_size(b)); */
  /*@ assert output: b->output != \null ==> \forall real_layer f; layer_stored{Pre}(b, f) ==>
        is_vec(b->output, layer_output_weight(f), 0, output_points(b)); */
}
