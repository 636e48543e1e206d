/* A layer and an input as they are stored, checked and enclosed: both are as they were afterwards. */
#ifndef ATTCERT_CERTIFY_ENGINE_STORED_ENCLOSURE_H
#define ATTCERT_CERTIFY_ENGINE_STORED_ENCLOSURE_H

#include "certify/enclosure/layer_enclosure.h"

#ifdef __FRAMAC__
#include "certify/enclosure/layer_enclosure_memory.h"

#include "theorems/layer_kept.acsl"
#endif

/*@ // The block b, which is written, is none where the intervals of a layer will lie.
    predicate outside_layer_room{L}(char *b) =
      b != \base_addr(layer_room(0)) && b != \base_addr(layer_room(1)) && b != \base_addr(layer_room(2)) &&
      b != \base_addr(layer_room(3)) && b != \base_addr(layer_room(4));
    // Nor is it e or err.
    predicate outside_stored{L}(char *b, layer_enclosure *e, attcert_error *err) =
      outside_layer_room(b) && b != \base_addr(e) && b != \base_addr(err);
    // Nor is a block of a layer and its input.
    predicate rooms_outside{L}(attcert_layer *layer, attcert_matrix *x) =
      outside_layer_room(\base_addr(layer)) && outside_layer_room(\base_addr(x)) &&
      outside_layer_room(\base_addr(x->data)) && outside_layer_room(\base_addr(layer->query_weight)) &&
      outside_layer_room(\base_addr(layer->key_weight)) && outside_layer_room(\base_addr(layer->value_weight)) &&
      outside_layer_room(\base_addr(layer->query_bias)) && outside_layer_room(\base_addr(layer->key_bias)) &&
      outside_layer_room(\base_addr(layer->output_weight));
    predicate output_outside{L}(layer_enclosure *e, attcert_layer *layer, attcert_error *err) =
      layer->output_weight == \null ||
      \separated(e, err, layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1));
    // A layer and an input in memory of their own, e and err beside them.
    predicate stored_given{L}(attcert_layer *layer, attcert_matrix *x, layer_enclosure *e, attcert_error *err) =
      \valid(e) && (err == \null || \valid(err)) && layer_given(layer, x) && \separated(e, layer, x, err) &&
      layer_apart(err, layer, x) && input_outside(e, layer, x, err) && output_outside(e, layer, err) &&
      rooms_outside(layer, x); */

/* Checks the layer and encloses it with `precision` bits on `threads` threads. e, zero before, takes the intervals;
 * layer_enclosure_clear is due either way. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
/*@ requires stored: stored_given(layer, x, e, err);
    requires precision: 53 <= precision <= MPFR_PREC_MAX;
    terminates \true;
    assigns *e, *err, mpfr_lives, mpz_lives, layer_room(0)[0 .. layer_vectors(layer, x) - 1],
      layer_room(1)[0 .. layer_vectors(layer, x) - 1], layer_room(2)[0 .. layer_vectors(layer, x) - 1],
      layer_room(3)[0 .. layer_vectors(layer, x) - 1], layer_room(4)[0 .. layer_rows(layer, x) - 1];
    ensures numbers: \forall mpfr_srcptr a; outside_stored{Pre}(\base_addr{Pre}(a), e, err) ==> unchanged{Pre, Post}(a);
    ensures doubles: \forall double *a; outside_stored{Pre}(\base_addr{Pre}(a), e, err) ==>
      \at(*a, Pre) == \at(*a, Post);
    ensures checked: \result == ATTCERT_OK ==> checked_layer{Pre}(layer, x);
    ensures kept: \result == ATTCERT_OK ==> layer_kept{Pre, Post}(layer, x);
    ensures shape: \result == ATTCERT_OK ==> has_shape{Pre, Post}(e, layer, x, precision);
    ensures room: \result == ATTCERT_OK ==> in_layer_room{Pre, Post}(e);
    ensures lives: \result == ATTCERT_OK ==> same_lives{Pre, Post};
    ensures sides: \result == ATTCERT_OK ==> enclosure_sides(e) && enclosure_writable(e);
    ensures encloses: \result == ATTCERT_OK ==> layer_encloses(e);
    ensures query: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->query_weight, layer->query_bias, layer, x) ==>
      in_vec(e->q, y, 0, vectors_size(e));
    ensures key: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->key_weight, layer->key_bias, layer, x) ==>
      in_vec(e->k, y, 0, vectors_size(e));
    ensures value: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==> in_vec(e->v, y, 0, vectors_size(e)); */
attcert_status stored_enclosure(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                mpfr_prec_t precision, int threads, attcert_error *err);

#endif
