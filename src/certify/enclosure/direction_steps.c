#include "certify/enclosure/direction_steps.h"

#include "certify/enclosure/direction_heads.h"
#include "certify/enclosure/direction_image.h"
#include "certify/enclosure/projection.h"

#ifdef __FRAMAC__
#include "direction/direction_elsewhere_lemmas.acsl"
#endif

attcert_status direction_project(interval *out, const double *weight, const derivative *t, int threads,
                                 attcert_error *err) {
  const layer_enclosure *const e = t->e;
  const projection_shape shape = {e->n, e->dim, e->heads, e->head_dim, e->precision, threads};
  //@ assert given_then: direction_given(t->layer, t->e) && derivative_arrays(t);
  //@ assert direction_then: is_direction(t->u, row(t->e->n, t->e->dim));
  //@ assert sides_then: enclosure_sides(e) && 1 <= vectors_size(e) && 1 <= rows_size(e);
  //@ assert channels_then: 1 <= channels(e);
  //@ assert weights_then: 1 <= row(channels(e), e->dim);
  //@ assert tokens_then: 1 <= row(e->n, e->dim);
  //@ assert output_sides: 1 <= t->layer->out_dim && 1 <= output_room_size(t->layer, e);
  //@ assert block: outside_given(\base_addr(out), t);
  //@ assert null_arrays: err == \null ==> outside_enclosure(\base_addr(err), e);
  //@ assert null_weights: err == \null ==> \base_addr(err) != \base_addr(t->layer->query_weight);
  //@ assert null_keys: err == \null ==> \base_addr(err) != \base_addr(t->layer->key_weight);
  //@ assert null_values: err == \null ==> \base_addr(err) != \base_addr(t->layer->value_weight);
  /*@ assert null_output: err == \null ==> t->layer->output_weight != \null ==>
        \base_addr(err) != \base_addr(t->layer->output_weight); */
  //@ assert error_null: err == \null ==> outside_given(\base_addr(err), t);
  //@ assert error: outside_given(\base_addr(err), t);
  //@ assert output_then: t->output != \null ==> output_blocks(t, err) && room_for_output(t);
  //@ assert output_apart: t->output != \null ==> \base_addr(t->output) != \base_addr(err);
  //@ assert outputs: projection_outputs(shape) == vectors_size(e) && projection_sides(shape);
  //@ assert weights: projection_weights(shape) == row(channels(e), e->dim);
  //@ assert inputs: projection_inputs(weight, \null, t->u, shape);
  //@ assert local: \separated(out + (0 .. vectors_size(e) - 1), &shape) && \separated(err, &shape);
  /*@ assert ints_apart: \forall int *x; \base_addr(x) != \base_addr(out) ==>
        \separated(x, out + (0 .. vectors_size(e) - 1)); */
  /*@ assert longs_apart: \forall long *x; \base_addr(x) != \base_addr(out) ==>
        \separated(x, out + (0 .. vectors_size(e) - 1)); */
  /*@ assert doubles_apart: \forall double *x; \base_addr(x) != \base_addr(out) ==>
        \separated(x, out + (0 .. vectors_size(e) - 1)); */
  const attcert_status status = projection_enclosure(out, weight, NULL, t->u, &shape, err);
  /*@ assert ints: \forall int *x; \base_addr(x) != \base_addr(out) ==> \base_addr(x) != \base_addr(err) ==>
        *x == \at(*x, Pre); */
  /*@ assert longs: \forall long *x; \base_addr(x) != \base_addr(out) ==> \base_addr(x) != \base_addr(err) ==>
        *x == \at(*x, Pre); */
  /*@ assert doubles: \forall double *x; \base_addr(x) != \base_addr(out) ==> \base_addr(x) != \base_addr(err) ==>
        *x == \at(*x, Pre); */
  //@ assert memory: memory_elsewhere{Pre, Here}(\base_addr(out), \base_addr(err));
  //@ assert pointers: same_pointers{Pre, Here}(t);
  //@ assert kept: derivative_kept{Pre, Here}(t);
  //@ assert sides: enclosure_sides(t->e) && vectors_size(t->e) == vectors_size{Pre}(t->e);
  //@ assert sizes: channels(t->e) == channels{Pre}(t->e) && joined_size(t->e) == joined_size{Pre}(t->e);
  //@ assert layer: t->layer == \at(t->layer, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  //@ assert image_sizes: image_size(t) == image_size{Pre}(t) && output_size(t) == output_size{Pre}(t);
  //@ assert valid: given_valid(t->layer, t->e);
  //@ assert given: direction_given(t->layer, t->e);
  //@ assert same_direction: entries_same{Pre, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert direction: is_direction(t->u, row(t->e->n, t->e->dim));
  //@ assert room_projections: room_for(t->dq, vectors_size(t->e)) && room_for(t->dk, vectors_size(t->e));
  //@ assert room_joined: room_for(t->dv, vectors_size(t->e)) && room_for(t->dy, joined_size(t->e));
  //@ assert room_image: room_for(t->image, image_size(t)) && room_for(t->squares, t->e->n) && room_for(t->ratio, 1);
  //@ assert exact: t->output != \null ==> exact_points(t->output, output_size(t));
  //@ assert live_output: t->output != \null ==> live_points(t->output, output_size(t));
  //@ assert room_output: t->output != \null ==> room_for_output(t);
  //@ assert arrays: derivative_arrays(t);
  //@ assert blocks: derivative_blocks(t, err) && result_blocks(t, err);
  return status;
}

void direction_join(derivative *t, int threads) /*@ ghost (attcert_error *err) */ {
  //@ assert given_then: direction_given(t->layer, t->e) && derivative_arrays(t);
  //@ assert direction_then: is_direction(t->u, row(t->e->n, t->e->dim));
  //@ assert block: outside_given(\base_addr(t->dy), t);
  /*@ assert ints_apart: \forall int *x; \base_addr(x) != \base_addr(t->dy) ==>
        \separated(x, t->dy + (0 .. joined_size(t->e) - 1)); */
  /*@ assert longs_apart: \forall long *x; \base_addr(x) != \base_addr(t->dy) ==>
        \separated(x, t->dy + (0 .. joined_size(t->e) - 1)); */
  /*@ assert doubles_apart: \forall double *x; \base_addr(x) != \base_addr(t->dy) ==>
        \separated(x, t->dy + (0 .. joined_size(t->e) - 1)); */
  direction_heads(t, threads);
  //@ assert ints: \forall int *x; \base_addr(x) != \base_addr(\at(t->dy, Pre)) ==> *x == \at(*x, Pre);
  //@ assert longs: \forall long *x; \base_addr(x) != \base_addr(\at(t->dy, Pre)) ==> *x == \at(*x, Pre);
  //@ assert doubles: \forall double *x; \base_addr(x) != \base_addr(\at(t->dy, Pre)) ==> *x == \at(*x, Pre);
  //@ assert memory: memory_elsewhere{Pre, Here}(\base_addr(\at(t->dy, Pre)), \base_addr(\at(t->dy, Pre)));
  //@ assert pointers: same_pointers{Pre, Here}(t);
  //@ assert kept: derivative_kept{Pre, Here}(t);
  //@ assert sides: enclosure_sides(t->e) && vectors_size(t->e) == vectors_size{Pre}(t->e);
  //@ assert sizes: channels(t->e) == channels{Pre}(t->e) && joined_size(t->e) == joined_size{Pre}(t->e);
  //@ assert layer: t->layer == \at(t->layer, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  //@ assert outputs: image_size(t) == image_size{Pre}(t) && output_size(t) == output_size{Pre}(t);
  //@ assert valid: given_valid(t->layer, t->e);
  //@ assert given: direction_given(t->layer, t->e);
  //@ assert same_direction: entries_same{Pre, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert direction: is_direction(t->u, row(t->e->n, t->e->dim));
  //@ assert room_projections: room_for(t->dq, vectors_size(t->e)) && room_for(t->dk, vectors_size(t->e));
  //@ assert room_joined: room_for(t->dv, vectors_size(t->e)) && room_for(t->dy, joined_size(t->e));
  //@ assert room_image: room_for(t->image, image_size(t)) && room_for(t->squares, t->e->n) && room_for(t->ratio, 1);
  //@ assert exact: t->output != \null ==> exact_points(t->output, output_size(t));
  //@ assert live_output: t->output != \null ==> live_points(t->output, output_size(t));
  //@ assert room_output: t->output != \null ==> room_for_output(t);
  //@ assert arrays: derivative_arrays(t);
  //@ assert blocks: derivative_blocks(t, err) && result_blocks(t, err);
}

void direction_weigh(derivative *t, int threads) /*@ ghost (attcert_error *err) */ {
  //@ assert given_then: direction_given(t->layer, t->e) && derivative_arrays(t);
  //@ assert direction_then: is_direction(t->u, row(t->e->n, t->e->dim));
  //@ assert block: outside_given(\base_addr(t->image), t) && outside_given(\base_addr(t->output), t);
  /*@ assert ints_apart: \forall int *x; \base_addr(x) != \base_addr(t->image) &&
        \base_addr(x) != \base_addr(t->output) ==> \separated(x, t->image + (0 .. image_size(t) - 1)) &&
        \separated(x, t->output + (0 .. output_size(t) - 1)); */
  /*@ assert longs_apart: \forall long *x; \base_addr(x) != \base_addr(t->image) &&
        \base_addr(x) != \base_addr(t->output) ==> \separated(x, t->image + (0 .. image_size(t) - 1)) &&
        \separated(x, t->output + (0 .. output_size(t) - 1)); */
  /*@ assert doubles_apart: \forall double *x; \base_addr(x) != \base_addr(t->image) &&
        \base_addr(x) != \base_addr(t->output) ==> \separated(x, t->image + (0 .. image_size(t) - 1)) &&
        \separated(x, t->output + (0 .. output_size(t) - 1)); */
  direction_image(t, threads);
  /*@ assert ints: \forall int *x; \base_addr(x) != \base_addr(\at(t->image, Pre)) ==>
        \base_addr(x) != \base_addr(\at(t->output, Pre)) ==> *x == \at(*x, Pre); */
  /*@ assert longs: \forall long *x; \base_addr(x) != \base_addr(\at(t->image, Pre)) ==>
        \base_addr(x) != \base_addr(\at(t->output, Pre)) ==> *x == \at(*x, Pre); */
  /*@ assert doubles: \forall double *x; \base_addr(x) != \base_addr(\at(t->image, Pre)) ==>
        \base_addr(x) != \base_addr(\at(t->output, Pre)) ==> *x == \at(*x, Pre); */
  //@ assert memory: memory_elsewhere{Pre, Here}(\base_addr(\at(t->image, Pre)), \base_addr(\at(t->output, Pre)));
  //@ assert pointers: same_pointers{Pre, Here}(t);
  //@ assert kept: derivative_kept{Pre, Here}(t);
  //@ assert sides: enclosure_sides(t->e) && vectors_size(t->e) == vectors_size{Pre}(t->e);
  //@ assert sizes: channels(t->e) == channels{Pre}(t->e) && joined_size(t->e) == joined_size{Pre}(t->e);
  //@ assert layer: t->layer == \at(t->layer, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  //@ assert outputs: image_size(t) == image_size{Pre}(t) && output_size(t) == output_size{Pre}(t);
  //@ assert valid: given_valid(t->layer, t->e);
  //@ assert given: direction_given(t->layer, t->e);
  //@ assert same_direction: entries_same{Pre, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert direction: is_direction(t->u, row(t->e->n, t->e->dim));
  //@ assert room: room_for(t->image, image_size(t)) && room_for(t->squares, t->e->n) && room_for(t->ratio, 1);
  //@ assert blocks: derivative_blocks(t, err) && result_blocks(t, err);
}
