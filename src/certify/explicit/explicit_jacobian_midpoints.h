/* The midpoints of an explicit Jacobian, and its radius: the rows of every token (explicit_jacobian_rows.h). */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_MIDPOINTS_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_MIDPOINTS_H

#include "certify/explicit/explicit_jacobian_rows.h"
#include "certify/explicit/explicit_jacobian_scratch.h"

#ifdef __FRAMAC__
#include "explicit_rows/enclosed.acsl"
#include "explicit_rows/midpoints_given.acsl"
#endif

/* b->squares are 0; b->failed where there is no memory for a token. */
/*@ requires given: midpoints_given(b) && jacobian_sides(b) && \valid(&b->failed);
    requires zero: zero_squares(b, 0);
    requires apart: jacobian_apart(b);
    terminates \true;
    assigns b->j->mid[0 .. all_entries(b) - 1], b->squares[0 .. b->e->n - 1][0 .. 0], (&b->j->radius[0])[0 .. 0],
      b->failed, rows_place[0 .. token_entries(b) - 1], mpfr_lives;
    ensures lives: lives_elsewhere{Pre, Post}(\base_addr(rows_place));
    ensures failed: \old(b->failed) != 0 ==> b->failed != 0;
    ensures encloses: b->failed == 0 ==> number(&b->j->radius[0]) ==> \forall real_layer f, rvec a;
      maps_model{Pre}(b, f) ==> is_real_jacobian(a, f) ==> enclosed_by(b->j, a); */
void explicit_jacobian_midpoints(jacobian_builder *b, int threads);

#endif
