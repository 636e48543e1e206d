/* The memory of a layer in intervals. What is stated here of allocation is trusted (proofs/TRUST.md). */
#ifndef ATTCERT_LAYER_ENCLOSURE_MEMORY_H
#define ATTCERT_LAYER_ENCLOSURE_MEMORY_H

#include "certify/enclosure/layer_enclosure.h"

/* Sides and settings of e, and its arrays, of zeros. Errors: ATTCERT_RESOURCE, nothing is left allocated. */
/*@ requires valid: \valid(e) && (err == \null || \valid(err)) && layer_given(layer, x);
    requires checked: checked_layer(layer, x);
    requires precision: 1 <= precision <= MPFR_PREC_MAX;
    requires apart: \separated(e, layer, x, err);
    terminates \true;
    assigns *e, *err, mpfr_lives, layer_room(0)[0 .. layer_vectors(layer, x) - 1],
      layer_room(1)[0 .. layer_vectors(layer, x) - 1], layer_room(2)[0 .. layer_vectors(layer, x) - 1],
      layer_room(3)[0 .. layer_vectors(layer, x) - 1], layer_room(4)[0 .. layer_rows(layer, x) - 1];
    ensures lives: same_lives{Pre, Post};
    ensures status: \result == ATTCERT_OK || \result == ATTCERT_RESOURCE;
    ensures outside: layer_room_outside{Pre}(layer, x, err);
    ensures shape: \result == ATTCERT_OK ==> shape_of(e, layer, x, precision);
    ensures room: \result == ATTCERT_OK ==> in_layer_room{Pre, Post}(e);
    ensures writable: \result == ATTCERT_OK ==> enclosure_writable(e); */
attcert_status layer_enclosure_allocate(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                        mpfr_prec_t precision, attcert_error *err);

#endif
