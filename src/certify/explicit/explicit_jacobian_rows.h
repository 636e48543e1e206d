/* The rows of one token in an explicit Jacobian, from the maps of all heads (explicit_jacobian_tokens.h). */
#ifndef ATTCERT_EXPLICIT_JACOBIAN_ROWS_H
#define ATTCERT_EXPLICIT_JACOBIAN_ROWS_H

#include "certify/explicit/explicit_jacobian_part.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/token_distances.acsl"
#endif

/*@ predicate midpoints_room{L}(jacobian_builder *b) =
      \valid_read(b->j) && \valid(b->j->mid + (0 .. all_entries(b) - 1)) && live_points(b->j->mid, all_entries(b));
    predicate outside_midpoints{L}(char *x, jacobian_builder *b) = x != \base_addr(b->j->mid);
    // The squared distance of the rows of token i from their midpoints is bounded, for all real layers.
    predicate token_bounded{L0, L1}(jacobian_builder *b, integer i) =
      \forall real_layer f, rvec y, m; maps_model{L0}(b, f) ==> is_token_rows(y, f, i) ==>
      points_are{L1}(\at(b->j->mid, L0) + row(i, token_entries{L0}(b)), m, token_entries{L0}(b)) ==>
      at_least{L1}(\at(&b->squares[i][0], L0), squared_distance(y, m, token_entries{L0}(b)));
    predicate token_numbers{L0, L1}(jacobian_builder *b, integer i) =
      plus_infinity{L1}(\at(&b->squares[i][0], L0)) ||
      (number{L1}(\at(&b->squares[i][0], L0)) && \forall integer t; 0 <= t < token_entries{L0}(b) ==>
       number{L1}(\at(&(b->j->mid + (row(i, token_entries{L0}(b)) + t))->v[0], L0))); */

/* Midpoints of the rows of token i, and the sum of the squared radii in b->squares[i], which is 0; b->failed where
 * there is no memory. */
/*@ requires given: rows_given(b) && \valid(&b->failed) && midpoints_room(b);
    requires squares: \valid(b->squares + (0 .. b->e->n - 1)) && live_numbers(b->squares, b->e->n);
    requires apart: outside_sources(\base_addr(b->j->mid), b) && outside_builder(\base_addr(b->j->mid), b) &&
      outside_sources(\base_addr(b->squares), b) && outside_maps(\base_addr(b->squares), b);
    requires token: 0 <= i < b->e->n && zero(&b->squares[i][0]);
    terminates \true;
    assigns b->j->mid[row(i, token_entries(b)) .. row(i, token_entries(b)) + token_entries(b) - 1],
      b->squares[i][0], b->failed, mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures failed: \old(b->failed) != 0 ==> b->failed != 0;
    ensures bounded: b->failed == 0 ==> token_bounded{Pre, Post}(b, i);
    ensures numbers: b->failed == 0 ==> token_numbers{Pre, Post}(b, i); */
void explicit_jacobian_rows(jacobian_builder *b, int i);

#endif
