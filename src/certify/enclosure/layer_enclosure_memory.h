/* The memory of a layer in intervals. What is stated here of allocation is trusted (proofs/TRUST.md). */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_LAYER_ENCLOSURE_MEMORY_H
#define ATTCERT_CERTIFY_ENCLOSURE_LAYER_ENCLOSURE_MEMORY_H

#include "certify/enclosure/layer_enclosure.h"

#ifdef __FRAMAC__
#include "matrix/unchanged_entries.acsl"
#endif

/*@ // The layer's numbers and the tokens are as they were.
    predicate numbers_kept{L1, L2}(double *a, integer n) = a == \null || entries_same{L1, L2}(a, n);
    predicate sides_kept{L1, L2}(attcert_layer *layer, attcert_matrix *x) =
      \at(layer->dim, L2) == \at(layer->dim, L1) && \at(layer->heads, L2) == \at(layer->heads, L1) &&
      \at(layer->head_dim, L2) == \at(layer->head_dim, L1) && \at(layer->out_dim, L2) == \at(layer->out_dim, L1) &&
      \at(layer->mask, L2) == \at(layer->mask, L1) && \at(x->rows, L2) == \at(x->rows, L1) &&
      \at(x->cols, L2) == \at(x->cols, L1) && \at(x->data, L2) == \at(x->data, L1) &&
      \at(layer->query_weight, L2) == \at(layer->query_weight, L1) &&
      \at(layer->key_weight, L2) == \at(layer->key_weight, L1) &&
      \at(layer->value_weight, L2) == \at(layer->value_weight, L1) &&
      \at(layer->query_bias, L2) == \at(layer->query_bias, L1) &&
      \at(layer->key_bias, L2) == \at(layer->key_bias, L1);
    predicate input_kept{L1, L2}(attcert_layer *layer, attcert_matrix *x) =
      sides_kept{L1, L2}(layer, x) &&
      entries_same{L1, L2}(\at(x->data, L1), \at(row(x->rows, x->cols), L1)) &&
      entries_same{L1, L2}(\at(layer->query_weight, L1), \at(row(width(layer), layer->dim), L1)) &&
      entries_same{L1, L2}(\at(layer->key_weight, L1), \at(row(width(layer), layer->dim), L1)) &&
      entries_same{L1, L2}(\at(layer->value_weight, L1), \at(row(width(layer), layer->dim), L1)) &&
      numbers_kept{L1, L2}(\at(layer->query_bias, L1), \at(width(layer), L1)) &&
      numbers_kept{L1, L2}(\at(layer->key_bias, L1), \at(width(layer), L1)); */

/* Sides and settings of e, and its arrays, of zeros. Errors: ATTCERT_RESOURCE, nothing is left allocated. That the
 * input is as it was, and outside the arrays, says once more what the arrays' room implies. */
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
    ensures shape: \result == ATTCERT_OK ==> shape_of(e, layer, x, precision);
    ensures room: \result == ATTCERT_OK ==> in_layer_room{Pre, Post}(e);
    ensures writable: \result == ATTCERT_OK ==> enclosure_writable(e);
    ensures given: input_given(layer, x) && input_kept{Pre, Post}(layer, x);
    ensures blocks: \forall char *b; b != \base_addr(e) ==> b != \base_addr(err) ==> outside_layer_room{Pre}(b) ==>
      block_same{Pre, Post}(b);
    ensures apart: \result == ATTCERT_OK ==> arrays_outside(e, layer, x, err); */
attcert_status layer_enclosure_allocate(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                        mpfr_prec_t precision, attcert_error *err);

#endif
