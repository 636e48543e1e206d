#include "certify/explicit/explicit_jacobian_midpoints.h"

#include "base/parallel.h"
#include "interval/interval_vec.h"
#include "linalg/rounding/sum_upward.h"

#ifdef __FRAMAC__
#include "explicit_rows/enclosed_lemmas.acsl"
#include "explicit_rows/midpoints_given_lemmas.acsl"
#include "explicit_rows/tokens_bounded_lemmas.acsl"
#endif

/* The rows of one token. */
/*@ requires given: midpoints_given(b) && \valid(&b->failed);
    requires token: 0 <= i < b->e->n;
    requires zero: zero(&b->squares[i][0]);
    terminates \true;
    assigns b->j->mid[0 .. all_entries(b) - 1], b->squares[i][0], b->failed, rows_place[0 .. token_entries(b) - 1],
      mpfr_lives;
    ensures lives: lives_elsewhere{Pre, Post}(\base_addr(rows_place));
    ensures given: midpoints_given(b);
    ensures maps: maps_kept{Pre, Post}(b);
    ensures midpoints: same_midpoints{Pre, Post}(b);
    ensures earlier: earlier_same{Pre, Post}(\at(b->squares, Pre), \at(b->j->mid, Pre), token_entries{Pre}(b), i);
    ensures later: zero_squares{Pre}(b, i) ==> zero_squares(b, i + 1);
    ensures sides: jacobian_sides{Pre}(b) ==> jacobian_sides(b);
    ensures failed: \old(b->failed) != 0 ==> b->failed != 0;
    ensures not_negative: b->failed == 0 ==> at_least(&b->squares[i][0], 0.0);
    ensures bounded: b->failed == 0 ==> token_bounded{Pre, Post}(b, i);
    ensures numbers: b->failed == 0 ==> token_numbers{Pre, Post}(b, i); */
static void prepare_rows(jacobian_builder *b, int i) {
  //@ assert live_given: midpoints_live(b);
  //@ assert range: 0 <= row(i, token_entries(b)) && row(i, token_entries(b)) + token_entries(b) <= all_entries(b);
  interval *const rows = jacobian_builder_rows(b);
  //@ assert maps_begin: maps_kept{Pre, Here}(b);
  //@ assert live: midpoints_live(b);
  //@ assert readable: enclosure_readable(b->e);
  //@ assert maps: builder_maps(b);
  //@ assert rows_given: rows_given(b);
  //@ assert given: midpoints_given(b);
  if (rows == NULL) {
    atomic_store(&b->failed, true);
    return;
  }
  explicit_jacobian_rows(b, i, rows);
  //@ ghost Done:;
  //@ assert maps_done: maps_kept{Pre, Here}(b);
  //@ assert others: others_kept{Pre, Here}(b, i);
  //@ assert sides: jacobian_sides{Pre}(b) ==> jacobian_sides(b);
  //@ assert earlier: earlier_same{Pre, Here}(\at(b->squares, Pre), \at(b->j->mid, Pre), token_entries{Pre}(b), i);
  //@ assert later: zero_squares{Pre}(b, i) ==> zero_squares(b, i + 1);
  //@ assert live_done: midpoints_live(b);
  interval_vec_free(rows);
  //@ assert elsewhere: kept_elsewhere{Done, Here}(\base_addr(rows));
  //@ assert end_midpoints: same_midpoints{Done, Here}(b);
  //@ assert end_maps_kept: maps_kept{Done, Here}(b);
  //@ assert end_live: midpoints_live(b);
  //@ assert end_readable: enclosure_readable(b->e);
  //@ assert end_maps: builder_maps(b);
  //@ assert end_sides: builder_sides(b);
  //@ assert end_encloses: layer_encloses(b->e);
  //@ assert end_rows: rows_given(b);
}
PARALLEL_TASK(prepare_rows)

/* The radius, from the squared distances of all tokens: Frobenius >= spectral. */
/*@ requires given: midpoints_given(b) && jacobian_apart(b);
    terminates \true;
    assigns (&b->j->radius[0])[0 .. 0];
    ensures maps: maps_kept{Pre, Post}(b);
    ensures midpoints: same_midpoints{Pre, Post}(b);
    ensures sides: jacobian_sides{Pre}(b) ==> jacobian_sides(b);
    ensures points: same_points{Pre, Post}(\at(b->j->mid, Pre), all_entries{Pre}(b));
    ensures radius: radius_bounds{Pre, Post}(\at(&b->j->radius[0], Pre), \at(b->squares, Pre), \at(b->e->n, Pre));
    ensures numbers: squares_not_negative{Pre}(\at(b->squares, Pre), \at(b->e->n, Pre)) ==>
      number(&b->j->radius[0]) ==>
      \forall integer t; 0 <= t < \at(b->e->n, Pre) ==> number{Pre}(\at(&b->squares[t][0], Pre)); */
static void root_of_squares(jacobian_builder *b) {
  const int tokens = b->e->n;
  mpfr_t *const squares = b->squares;
  //@ assert apart: \base_addr(b->j) != \base_addr(b->squares) && \base_addr(b->j) != \base_addr(b->j->mid);
  /*@ assert given: squares_not_negative(squares, tokens) ==>
        \forall integer t; 0 <= t < tokens ==> at_least{Pre}(&squares[t][0], 0.0); */
  sum_upward_root(b->j->radius, squares, tokens);
  /*@ assert numbers: squares_not_negative{Pre}(squares, tokens) ==> number(&b->j->radius[0]) ==>
        \forall integer t; 0 <= t < tokens ==> number{Pre}(&squares[t][0]); */
  //@ assert elsewhere: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(b->j) ==> unchanged{Pre, Here}(x);
  //@ assert height: b->height == \at(b->height, Pre) && b->layer->out_dim == \at(b->layer->out_dim, Pre);
  //@ assert same_places: same_places{Pre, Here}(b);
  //@ assert n: b->e->n == \at(b->e->n, Pre) && b->e->dim == \at(b->e->dim, Pre);
  //@ assert heads: b->e->heads == \at(b->e->heads, Pre) && b->e->head_dim == \at(b->e->head_dim, Pre);
  //@ assert mask: b->e->mask == \at(b->e->mask, Pre);
  //@ assert precision: b->e->precision == \at(b->e->precision, Pre);
  //@ assert same_shape: same_shape{Pre, Here}(b->e);
  //@ assert maps: maps_kept{Pre, Here}(b);
  //@ assert same_matrix: b->j->rows == \at(b->j->rows, Pre) && b->j->cols == \at(b->j->cols, Pre);
}

void explicit_jacobian_midpoints(jacobian_builder *b, int threads) {
  const int tokens = b->e->n;
  /*@ loop invariant range: 0 <= parallel_index <= tokens;
      loop invariant lives: lives_elsewhere{Pre, Here}(\base_addr(rows_place));
      loop invariant given: midpoints_given(b) && jacobian_sides(b);
      loop invariant maps: maps_kept{Pre, Here}(b);
      loop invariant size: token_entries(b) == token_entries{Pre}(b) && b->e->n == tokens;
      loop invariant zero: zero_squares(b, parallel_index);
      loop invariant failed: \at(b->failed, Pre) != 0 ==> b->failed != 0;
      loop invariant midpoints: same_midpoints{Pre, Here}(b);
      loop invariant not_negative: b->failed == 0 ==> squares_not_negative(b->squares, parallel_index);
      loop invariant numbers: b->failed == 0 ==>
        midpoints_number(\at(b->squares, Pre), \at(b->j->mid, Pre), token_entries{Pre}(b), parallel_index);
      loop invariant bounded: b->failed == 0 ==> tokens_bounded{Pre, Here}(b, parallel_index);
      loop assigns parallel_index, b->j->mid[0 .. all_entries{Pre}(b) - 1], b->squares[0 .. tokens - 1][0 .. 0],
        b->failed, rows_place[0 .. token_entries{Pre}(b) - 1], mpfr_lives;
      loop variant tokens - parallel_index; */
  PARALLEL_FOR(tokens, threads, prepare_rows, b);
  //@ ghost Filled:;
  //@ assert sizes: all_entries(b) == all_entries{Pre}(b) && b->e->n == tokens;
  root_of_squares(b);
  //@ assert maps: maps_kept{Pre, Here}(b);
  //@ assert midpoints: same_midpoints{Pre, Here}(b) && jacobian_sides(b);
  /*@ assert finite: b->failed == 0 ==> number(&b->j->radius[0]) ==>
        numbers_at(\at(b->j->mid, Pre), all_entries{Pre}(b)); */
  //@ assert summed: b->failed == 0 ==> tokens_summed{Pre, Filled, Here}(b);
  /*@ assert encloses: b->failed == 0 ==> number(&b->j->radius[0]) ==> \forall real_layer f, rvec a;
        maps_model{Pre}(b, f) ==> is_real_jacobian(a, f) ==> enclosed_by(\at(b->j, Pre), a); */
}
