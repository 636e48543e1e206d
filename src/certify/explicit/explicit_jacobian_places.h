/* Where the rows of a head begin among those of a token, and those of a token in an explicit Jacobian. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_PLACES_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_PLACES_H

#include "certify/explicit/explicit_jacobian_builder.h"

/*@ logic integer first_component{L}(jacobian_builder *b, integer h) =
      b->output == \null ? row(h, b->height) : 0; */

/* The first component of head h among those of the output: all heads add to the same ones with W_O, and each to its own
 * without. */
/*@ requires valid: \valid_read(b) && \valid_read(b->layer) && \valid_read(b->e) && builder_sides(b);
    requires head: 0 <= h < b->e->heads;
    terminates \true;
    assigns \nothing;
    ensures result: \result == first_component(b, h);
    ensures inside: 0 <= \result && \result + b->height <= b->layer->out_dim; */
int explicit_jacobian_component(const jacobian_builder *b, int h);

/* Entries in the rows of one token: out_dim n d. */
/*@ requires valid: \valid_read(b) && \valid_read(b->layer) && \valid_read(b->e) && builder_sides(b);
    terminates \true;
    assigns \nothing;
    ensures result: \result == token_entries(b) && 0 <= \result; */
size_t explicit_jacobian_entries(const jacobian_builder *b);

/* The first entry of component `first` among those rows. */
/*@ requires valid: \valid_read(b) && \valid_read(b->layer) && \valid_read(b->e) && builder_sides(b);
    requires component: 0 <= first && first + b->height <= b->layer->out_dim;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(first, builder_columns(b)) && 0 <= \result;
    ensures inside: 0 <= row(b->height, builder_columns(b)) &&
      \result + row(b->height, builder_columns(b)) <= token_entries(b); */
size_t explicit_jacobian_entry(const jacobian_builder *b, int first);

/* The first entry of token i's rows. */
/*@ requires valid: \valid_read(b) && \valid_read(b->layer) && \valid_read(b->e) && builder_sides(b);
    requires token: 0 <= i < b->e->n;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(i, token_entries(b)) && 0 <= \result;
    ensures inside: \result + token_entries(b) <= all_entries(b); */
size_t explicit_jacobian_place(const jacobian_builder *b, int i);

#endif
