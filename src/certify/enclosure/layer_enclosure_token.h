/* The attention of one token in intervals: its rows of P and y, from q, k and v. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_LAYER_ENCLOSURE_TOKEN_H
#define ATTCERT_CERTIFY_ENCLOSURE_LAYER_ENCLOSURE_TOKEN_H

#include "certify/enclosure/layer_enclosure.h"

/* Scores, softmax and output of token i of head h. */
/*@ requires valid: \valid_read(e) && enclosure_sides(e) && enclosure_writable(e);
    requires token: 0 <= h < e->heads && 0 <= i < e->n;
    terminates \true;
    assigns e->p[0 .. rows_size(e) - 1], e->y[0 .. vectors_size(e) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e);
    ensures arrays: same_arrays{Pre, Post}(e);
    ensures projections: projections_kept{Pre, Post}(e);
    ensures earlier_weights: kept{Pre, Post}(e->p, 0, row(token_index(e, h, i), e->n));
    ensures earlier_means: kept{Pre, Post}(e->y, 0, row(token_index(e, h, i), e->head_dim));
    ensures encloses: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==> row_encloses(e, q, k, v, h, i); */
void layer_enclosure_token(const layer_enclosure *e, int h, int i);

#endif
