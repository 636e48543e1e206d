/* The attention of a layer in intervals, one row after the other: P and y from q, k and v. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_LAYER_ENCLOSURE_ROWS_H
#define ATTCERT_CERTIFY_ENCLOSURE_LAYER_ENCLOSURE_ROWS_H

#include "certify/enclosure/layer_enclosure.h"

/* Scores, softmax and output of all tokens, from q, k and v. */
/*@ requires valid: \valid_read(e) && enclosure_sides(e) && enclosure_writable(e);
    terminates \true;
    assigns e->p[0 .. rows_size(e) - 1], e->y[0 .. vectors_size(e) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e);
    ensures arrays: same_arrays{Pre, Post}(e);
    ensures projections: projections_kept{Pre, Post}(e);
    ensures writable: enclosure_writable(e);
    ensures encloses: layer_encloses(e); */
void layer_enclosure_rows(layer_enclosure *e, int threads);

#endif
