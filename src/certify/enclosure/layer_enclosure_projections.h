/* The projections of a layer in intervals: q, k and v from the layer's numbers and its tokens. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_LAYER_ENCLOSURE_PROJECTIONS_H
#define ATTCERT_CERTIFY_ENCLOSURE_LAYER_ENCLOSURE_PROJECTIONS_H

#include "certify/enclosure/layer_enclosure.h"

/* Queries, keys and values of all tokens. */
/*@ requires valid: \valid_read(e) && enclosure_sides(e) && enclosure_writable(e);
    requires given: input_given(layer, x) && (err == \null || \valid(err));
    requires shape: shape_of(e, layer, x, e->precision);
    requires apart: \separated(e, layer, x, err);
    requires outside: input_outside(e, layer, x, err);
    requires room: arrays_outside(e, layer, x, err);
    terminates \true;
    assigns e->q[0 .. vectors_size(e) - 1], e->k[0 .. vectors_size(e) - 1], e->v[0 .. vectors_size(e) - 1], *err,
      mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e) && same_arrays{Pre, Post}(e);
    ensures blocks: \forall char *b; outside_projections{Pre}(b, e, err) ==> block_same{Pre, Post}(b);
    ensures query: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->query_weight, layer->query_bias, layer, x) ==>
      in_vec(e->q, y, 0, vectors_size(e));
    ensures key: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->key_weight, layer->key_bias, layer, x) ==>
      in_vec(e->k, y, 0, vectors_size(e));
    ensures value: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==> in_vec(e->v, y, 0, vectors_size(e)); */
attcert_status layer_enclosure_project(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                       int threads, attcert_error *err);

#endif
