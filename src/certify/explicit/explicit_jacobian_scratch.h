/* What an iteration over an explicit Jacobian's heads or tokens takes and gives back. What is stated here of allocation
 * is trusted (proofs/TRUST.md). */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_SCRATCH_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_SCRATCH_H

#include "certify/explicit/explicit_jacobian_builder.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_memory.acsl"
#endif

/* Zeros for the rows of one token; NULL when out of memory. interval_vec_free is due. */
/*@ requires valid: \valid_read(b) && \valid_read(b->layer) && \valid_read(b->e) && \valid_read(b->j);
    terminates \true;
    assigns mpfr_lives;
    ensures lives: \result != \null ==> lives_elsewhere{Pre, Post}(\base_addr(\result));
    ensures none: \result == \null ==> same_lives{Pre, Post};
    ensures alive: lives_on{Pre, Post};
    ensures room: \result != \null ==> builder_room(\result, token_entries(b));
    ensures zeros: \result != \null ==> \forall integer t; 0 <= t < token_entries(b) ==> in(\result + t, 0.0);
    ensures apart: \result != \null ==> outside_sources(\base_addr(\result), b) &&
      outside_builder(\base_addr(\result), b) && \base_addr(\result) != \base_addr(b->j->mid);
    ensures place: \result != \null ==> \result == rows_place; */
interval *jacobian_builder_rows(const jacobian_builder *b);

/* Room for a column of V and what W_O makes of it; NULL when out of memory. interval_vec_free is due. */
/*@ requires valid: \valid_read(b) && \valid_read(b->e);
    terminates \true;
    assigns mpfr_lives;
    ensures lives: \result != \null ==> lives_elsewhere{Pre, Post}(\base_addr(\result));
    ensures none: \result == \null ==> same_lives{Pre, Post};
    ensures alive: lives_on{Pre, Post};
    ensures room: \result != \null ==> builder_room(\result, b->e->head_dim + b->height);
    ensures apart: \result != \null ==> outside_sources(\base_addr(\result), b) &&
      outside_builder(\base_addr(\result), b);
    ensures place: \result != \null ==> \result == column_place; */
interval *jacobian_builder_column(const jacobian_builder *b);

#endif
