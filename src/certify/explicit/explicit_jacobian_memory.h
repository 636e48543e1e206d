/* The memory of an explicit Jacobian, and of the arrays that it is made from. What is stated here of allocation is
 * trusted (proofs/TRUST.md). */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_MEMORY_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_MEMORY_H

#include "certify/explicit/explicit_jacobian_builder.h"

#ifdef __FRAMAC__
#include "certify/explicit/explicit_jacobian_midpoints.h"
#include "certify/explicit/explicit_jacobian_weights.h"

#include "explicit_jacobian/builder_memory.acsl"
#endif

// Changes where the arrays of an explicit Jacobian are taken, and nowhere else: where the next ones will lie is known
// before a layer is enclosed.
//@ ghost double jacobian_rooms;

/*@ // Where the next arrays will lie: value, channel, mean, g and h; keys, queries, output and the midpoints; squares.
    axiomatic JacobianRoom {
      logic interval *maps_room{L}(integer which) reads jacobian_rooms;
      logic point *points_room{L}(integer which) reads jacobian_rooms;
      logic mpfr_ptr squares_room{L}(integer which) reads jacobian_rooms;
    }
    logic integer head_height{L}(attcert_layer *layer, layer_enclosure *e) =
      layer->output_weight == \null ? e->head_dim : layer->out_dim;
    logic integer head_maps_room{L}(attcert_layer *layer, layer_enclosure *e) =
      row(e->heads, row(head_height(layer, e), e->dim));
    logic integer outputs_room{L}(attcert_layer *layer, layer_enclosure *e) =
      row(all_tokens(e), head_height(layer, e));
    logic integer gradients_room{L}(layer_enclosure *e) = row(all_tokens(e), e->dim);
    logic integer weights_room{L}(layer_enclosure *e) = row(e->heads, row(e->dim, e->head_dim));
    logic integer output_room{L}(attcert_layer *layer, layer_enclosure *e) =
      row(layer->out_dim, row(e->heads, e->head_dim));
    logic integer token_room_size{L}(attcert_layer *layer, layer_enclosure *e) =
      row(layer->out_dim, row(e->n, e->dim));
    logic integer midpoints_room_size{L}(attcert_layer *layer, layer_enclosure *e) =
      row(e->n, token_room_size(layer, e));
    predicate in_jacobian_room{L0, L1}(jacobian_builder *b) =
      \at(b->value, L1) == maps_room{L0}(0) && \at(b->channel, L1) == maps_room{L0}(1) &&
      \at(b->mean, L1) == maps_room{L0}(2) && \at(b->g, L1) == maps_room{L0}(3) && \at(b->h, L1) == maps_room{L0}(4) &&
      \at(b->keys, L1) == points_room{L0}(0) && \at(b->queries, L1) == points_room{L0}(1) &&
      \at(b->output, L1) == points_room{L0}(2) && \at(b->j->mid, L1) == points_room{L0}(3) &&
      \at(&b->squares[0][0], L1) == squares_room{L0}(0);
    // x is in no array that an iteration takes and gives back;   nor in one of the arrays above but the midpoints.
    predicate outside_scratch{L}(char *x) = x != \base_addr(column_place) && x != \base_addr(rows_place);
    predicate outside_jacobian_room{L}(char *x) =
      outside_scratch(x) && x != \base_addr(maps_room(0)) && x != \base_addr(maps_room(1)) &&
      x != \base_addr(maps_room(2)) && x != \base_addr(maps_room(3)) && x != \base_addr(maps_room(4)) &&
      x != \base_addr(points_room(0)) && x != \base_addr(points_room(1)) && x != \base_addr(points_room(2)) &&
      x != \base_addr(squares_room(0));

    // A layer of finite doubles, and intervals that enclose attention in it.
    predicate jacobian_given{L}(attcert_layer *layer, layer_enclosure *e) =
      \valid_read(layer) && enclosure_sides(e) && side(layer->out_dim) && 1 <= layer->out_dim &&
      (layer->output_weight == \null ==> layer->out_dim == row(e->heads, e->head_dim)) &&
      53 <= e->precision && enclosure_readable(e) && layer_encloses(e) &&
      weights_given(layer->value_weight, row(e->heads, row(e->head_dim, e->dim))) &&
      weights_given(layer->key_weight, row(e->heads, row(e->head_dim, e->dim))) &&
      weights_given(layer->query_weight, row(e->heads, row(e->head_dim, e->dim))) &&
      (layer->output_weight != \null ==> weights_given(layer->output_weight, output_room(layer, e)));
    // The real layer f has their sides and weights, and its projections are in e's intervals.
    predicate layer_enclosed{L}(attcert_layer *layer, layer_enclosure *e, real_layer f) =
      layer_models(e, f) && layer_out_dim(f) == layer->out_dim &&
      layer_weighted(f) == (layer->output_weight == \null ? 0 : 1) &&
      weights_are(layer->key_weight, layer_key_weight(f), row(e->heads, row(e->head_dim, e->dim))) &&
      weights_are(layer->query_weight, layer_query_weight(f), row(e->heads, row(e->head_dim, e->dim))) &&
      weights_are(layer->value_weight, layer_value_weight(f), row(e->heads, row(e->head_dim, e->dim))) &&
      (layer->output_weight != \null ==>
       weights_are(layer->output_weight, layer_output_weight(f), output_room(layer, e)));
    // Both are as they were.
    predicate given_kept{L1, L2}(attcert_layer *layer, layer_enclosure *e) =
      enclosure_kept{L1, L2}(e) && \at(layer->out_dim, L1) == \at(layer->out_dim, L2) &&
      \at(layer->key_weight, L1) == \at(layer->key_weight, L2) &&
      \at(layer->query_weight, L1) == \at(layer->query_weight, L2) &&
      \at(layer->value_weight, L1) == \at(layer->value_weight, L2) &&
      \at(layer->output_weight, L1) == \at(layer->output_weight, L2) &&
      doubles_kept{L1, L2}(\base_addr{L1}(\at(layer->key_weight, L1))) &&
      doubles_kept{L1, L2}(\base_addr{L1}(\at(layer->query_weight, L1))) &&
      doubles_kept{L1, L2}(\base_addr{L1}(\at(layer->value_weight, L1))) &&
      doubles_kept{L1, L2}(\base_addr{L1}(\at(layer->output_weight, L1))); */

/* Bytes that explicit_jacobian_init takes. */
/*@ terminates \true;
    assigns \nothing; */
uint64_t explicit_jacobian_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

/* b and j: their sides, and their arrays, of zeros and of e's precision; false when out of memory.
 * jacobian_builder_clear is due either way, and so is explicit_jacobian_clear. That what is given is as it was says
 * once more what the arrays' room implies. */
/*@ requires valid: \valid(b) && \valid(j);
    requires given: jacobian_given(layer, e);
    requires separated: \separated(b, j, layer, e);
    terminates \true;
    assigns *b, *j, mpfr_lives, jacobian_rooms, maps_room(0)[0 .. head_maps_room(layer, e) - 1],
      maps_room(1)[0 .. outputs_room(layer, e) - 1], maps_room(2)[0 .. outputs_room(layer, e) - 1],
      maps_room(3)[0 .. gradients_room(e) - 1], maps_room(4)[0 .. gradients_room(e) - 1],
      points_room(0)[0 .. weights_room(e) - 1], points_room(1)[0 .. weights_room(e) - 1],
      points_room(2)[0 .. output_room(layer, e) - 1], points_room(3)[0 .. midpoints_room_size(layer, e) - 1],
      squares_room(0)[0 .. e->n - 1];
    ensures lives: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==> x != &j->radius[0] ==>
      same_life{Pre, Post}(x);
    ensures places: in_jacobian_room{Pre, Post}(b);
    ensures parts: b->layer == layer && b->e == e && b->j == j && b->failed == 0 && b->height == head_height(layer, e);
    ensures sides: jacobian_sides(b);
    ensures radius: owned(&j->radius[0]);
    ensures output: \result ==> (b->output == \null <==> layer->output_weight == \null);
    ensures arrays: \result ==> builder_arrays(b) && builder_precise(b) && midpoints_room(b);
    ensures blocks: builder_blocks(b) && outside_all_rows(\base_addr(j->mid), b) &&
      outside_points(\base_addr(j->mid), b);
    ensures scratch: outside_scratch(\base_addr(j->mid)) && outside_scratch(\base_addr(b->squares));
    ensures apart: outside_points(\base_addr(layer->key_weight), b) &&
      outside_points(\base_addr(layer->query_weight), b) &&
      (b->output != \null ==> outside_points(\base_addr(layer->output_weight), b));
    ensures distinct: \result ==> builder_distinct(b);
    ensures zeros: \result ==> zero_squares(b, 0);
    ensures given: jacobian_given(layer, e) && given_kept{Pre, Post}(layer, e); */
bool jacobian_builder_init(jacobian_builder *b, explicit_jacobian *j, const attcert_layer *layer,
                           const layer_enclosure *e);

/*@ requires valid: \valid_read(b);
    terminates \true;
    assigns mpfr_lives;
    ensures others: \forall mpfr_srcptr x; outside_builder(\base_addr(x), b) ==> same_life{Pre, Post}(x); */
void jacobian_builder_clear(jacobian_builder *b);

#endif
