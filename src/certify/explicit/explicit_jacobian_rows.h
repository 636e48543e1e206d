/* The rows of one token in an explicit Jacobian, from the maps of all heads (explicit_jacobian_tokens.h). */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_ROWS_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_ROWS_H

#include "certify/explicit/explicit_jacobian_part.h"

#ifdef __FRAMAC__
#include "certify/explicit/interval_midpoint.h"

#include "explicit_jacobian/token_distances.acsl"
#include "explicit_rows/maps_kept.acsl"
#endif

/*@ predicate midpoints_room{L}(jacobian_builder *b) =
      \valid_read(b->j) && \valid(b->j->mid + (0 .. all_entries(b) - 1)) && live_points(b->j->mid, all_entries(b));
    predicate outside_all_rows{L}(char *x, jacobian_builder *b) =
      outside_sources(x, b) && outside_maps(x, b) && x != \base_addr(b->squares);
    predicate zero_rows{L}(interval *rows, jacobian_builder *b) =
      builder_room(rows, token_entries(b)) && \forall integer t; 0 <= t < token_entries(b) ==> in(rows + t, 0.0);
    // The squared distance of the rows of token i from their midpoints is bounded, for all real layers.
    predicate token_bounded{L0, L1}(jacobian_builder *b, integer i) =
      \forall real_layer f, rvec y, m; maps_model{L0}(b, f) ==> is_token_rows(y, f, i) ==>
      points_are{L1}(\at(b->j->mid, L0) + row(i, token_entries{L0}(b)), m, token_entries{L0}(b)) ==>
      at_least{L1}(\at(&b->squares[i][0], L0), squared_distance(y, m, token_entries{L0}(b)));
    predicate token_numbers{L0, L1}(jacobian_builder *b, integer i) =
      numbers_or_infinite{L1}(\at(&b->squares[i][0], L0), \at(b->j->mid, L0) + row(i, token_entries{L0}(b)),
                              token_entries{L0}(b)); */

/* Midpoints of the rows of token i, and the sum of the squared radii in b->squares[i], which is 0. rows: room for them,
 * zeros (jacobian_builder_rows). */
/*@ requires given: rows_given(b) && builder_distinct(b) && builder_blocks(b) && midpoints_room(b);
    requires squares: \valid(b->squares + (0 .. b->e->n - 1)) && live_numbers(b->squares, b->e->n);
    requires token: 0 <= i < b->e->n && zero(&b->squares[i][0]);
    requires rows: zero_rows(rows, b);
    requires apart: outside_all_rows(\base_addr(b->j->mid), b) && outside_all_rows(\base_addr(rows), b) &&
      \base_addr(rows) != \base_addr(b->j->mid);
    terminates \true;
    assigns b->j->mid[row(i, token_entries(b)) .. row(i, token_entries(b)) + token_entries(b) - 1], b->squares[i][0],
      rows[0 .. token_entries(b) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures maps: maps_kept{Pre, Post}(b);
    ensures others: others_kept{Pre, Post}(b, i);
    ensures not_negative: at_least(&b->squares[i][0], 0.0);
    ensures bounded: token_bounded{Pre, Post}(b, i);
    ensures numbers: token_numbers{Pre, Post}(b, i); */
void explicit_jacobian_rows(const jacobian_builder *b, int i, interval *rows);

#endif
