#include "linalg/integer_cholesky.h"

#include "base/parallel.h"
#include "linalg/sum_upward.h"

#include <stdatomic.h>

/* Columns eliminated together: rows of L that stay in the cache while the rows below pass by. */
enum { BLOCK = 16 };

typedef struct {
  integer_cholesky *f;
  const fixed_matrix *g;
  mpz_srcptr t;
  size_t first, end; /* the block of columns */
  atomic_bool failed;
} elimination;

/* The columns before `columns` are eliminated. */
/*@ predicate factored{L}(fixed_matrix *l, fixed_matrix *g, mpz_srcptr t, mpfr_t *squares, integer n, integer columns) =
      pivots(l->model_integers, columns) &&
      \forall integer i; 0 <= i < n ==>
        at_least(&squares[i][0], cholesky_squares(l->model_integers, g->model_integers, mpz_value(t), i,
                                                  i < columns ? i + 1 : columns)); */

/* In the columns first .. end - 1 the rows before i are there. */
/*@ predicate block_begun{L}(fixed_matrix *l, fixed_matrix *g, mpz_srcptr t, mpfr_t *squares, integer n, integer first,
                             integer end, integer i) =
      pivots(l->model_integers, i < end ? i : end) &&
      \forall integer k; 0 <= k < n ==>
        at_least(&squares[k][0], cholesky_squares(l->model_integers, g->model_integers, mpz_value(t), k,
                                                  i <= k ? first : k < end ? k + 1 : end)); */

/*@ predicate step_memory{L}(cholesky_system s, mpfr_t *squares, integer n, cholesky_scratch *z) =
      \valid(s.l) && \valid_read(s.g) && \valid_read(s.t) && mpz_initialised(s.t) && \valid(squares + (0 .. n - 1)) &&
      live_numbers(squares, n) && \valid(z) && cholesky_scratch_ready(z) &&
      \separated(s.l, s.g, s.t, squares + (0 .. n - 1), z) && n == s.l->rows && cholesky_room(s.l, s.g);

    predicate elimination_memory{L}(elimination *e, integer n) =
      \valid(e) && factor_memory(e->f, e->g, e->t, n) &&
      \separated(e, e->f, e->g, e->t, e->f->squares + (0 .. n - 1));

    // Unless a row failed, the rows before i are there in the block of columns.
    predicate rows_before{L}(elimination *e, integer n, integer i) =
      !e->failed ==> block_begun(&e->f->l, e->g, e->t, e->f->squares, n, e->first, e->end, i); */

/* Row i of the block, its entries and its sum of squares. */
/*@ requires memory: step_memory(s, squares, s.l->rows, z);
    requires position: first <= i < s.l->rows && first < end <= s.l->rows;
    requires before: block_begun(s.l, s.g, s.t, squares, s.l->rows, first, end, i);
    terminates \true;
    assigns s.l->model_integers, squares[i][0], *z;
    ensures after: \result == CHOLESKY_DONE ==>
      block_begun(s.l, s.g, s.t, squares, s.l->rows, first, end, i + 1); */
static cholesky_outcome next_row(cholesky_system s, mpfr_t *squares, size_t i, size_t first, size_t end,
                                 cholesky_scratch *z) {
  const cholesky_outcome outcome = integer_cholesky_row(s, squares[i], i, first, end, z);
  /*@ assert matrix: s.g->model_integers == \at(s.g->model_integers, Pre); */
  /*@ assert shift: mpz_value(s.t) == mpz_value{Pre}(s.t); */
  /*@ assert elsewhere: \forall integer k; 0 <= k < s.l->rows ==> k != i ==> unchanged{Pre, Here}(&squares[k][0]); */
  /*@ assert rows: \forall integer k, c; k != i ==> c <= i ==>
        cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), k, c) ==
        cholesky_squares(\at(s.l->model_integers, Pre), s.g->model_integers, mpz_value(s.t), k, c); */
  /*@ assert others: \forall integer k; 0 <= k < s.l->rows ==> k != i ==>
        at_least(&squares[k][0], cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), k,
                                                  i <= k ? first : k < end ? k + 1 : end)); */
  /*@ assert own: outcome == CHOLESKY_DONE ==>
        at_least(&squares[i][0], cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i,
                                                  i < end ? i + 1 : end)); */
  /*@ assert pivots: outcome == CHOLESKY_DONE ==> pivots(s.l->model_integers, i + 1 < end ? i + 1 : end); */
  return outcome;
}

/* All numbers but those of the scratch live as before. */
/*@ predicate lives_outside_row{L1, L2}(cholesky_scratch *z) =
      (\forall mpfr_srcptr x; x != \at(&z->r[0], L1) ==> x != \at(&z->square[0], L1) ==> same_life{L1, L2}(x)) &&
      (\forall mpz_srcptr x; x != \at(&z->c[0], L1) ==> x != \at(&z->entry[0], L1) ==> x != \at(&z->half[0], L1) ==>
        x != \at(&z->quotient[0], L1) ==> x != \at(&z->remainder[0], L1) ==>
        (mpz_initialised{L1}(x) <==> mpz_initialised{L2}(x))); */

/*@ requires valid: \valid(z);
    terminates \true;
    assigns *z, mpfr_lives, mpz_lives;
    ensures ready: cholesky_scratch_ready(z) && owned(&z->r[0]) && owned(&z->square[0]);
    ensures others: lives_outside_row{Pre, Post}(z); */
static void scratch_init(cholesky_scratch *z) {
  mpz_init(z->c);
  mpz_init(z->entry);
  mpz_init(z->half);
  mpz_init(z->quotient);
  mpz_init(z->remainder);
  mpfr_init2(z->r, 64);
  mpfr_init2(z->square, 64);
}

/*@ requires valid: \valid(z);
    requires ready: cholesky_scratch_ready(z) && owned(&z->r[0]) && owned(&z->square[0]);
    terminates \true;
    assigns *z, mpfr_lives, mpz_lives;
    ensures others: lives_outside_row{Pre, Post}(z); */
static void scratch_clear(cholesky_scratch *z) {
  mpz_clear(z->c);
  mpz_clear(z->entry);
  mpz_clear(z->half);
  mpz_clear(z->quotient);
  mpz_clear(z->remainder);
  mpfr_clear(z->r);
  mpfr_clear(z->square);
}

/* Row i of the block of columns, and whether it failed. */
/*@ requires memory: elimination_memory(e, e->f->l.rows);
    requires scratch: \valid(z) && cholesky_scratch_ready(z) &&
      \separated(z, e, e->f, e->g, e->t, e->f->squares + (0 .. e->f->l.rows - 1));
    requires position: e->first <= i < e->f->l.rows && e->first < e->end <= e->f->l.rows;
    requires before: !e->failed && rows_before(e, e->f->l.rows, i);
    terminates \true;
    assigns e->f->l.model_integers, e->f->squares[i][0], e->f->failed, e->failed, *z;
    ensures column: e->f->failed == \old(e->f->failed) || e->f->failed == i;
    ensures after: rows_before(e, e->f->l.rows, i + 1); */
static void factor_row_with(elimination *e, size_t i, cholesky_scratch *z) {
  const cholesky_system s = {.l = &e->f->l, .g = e->g, .t = e->t};
  const cholesky_outcome outcome = next_row(s, e->f->squares, i, e->first, e->end, z);
  /*@ assert next: outcome == CHOLESKY_DONE ==> rows_before(e, e->f->l.rows, i + 1); */
  //@ ghost Added:;
  if (outcome == CHOLESKY_NOT_POSITIVE) e->f->failed = i;
  if (outcome != CHOLESKY_DONE) atomic_store(&e->failed, true);
  /*@ assert kept: outcome == CHOLESKY_DONE ==> rows_before(e, e->f->l.rows, i + 1); */
}

/* Pivots are in the block's own rows, which no other thread writes. */
/*@ requires memory: elimination_memory(e, e->f->l.rows);
    requires position: e->first <= i < e->f->l.rows && e->first < e->end <= e->f->l.rows;
    requires before: rows_before(e, e->f->l.rows, i);
    terminates \true;
    assigns e->f->l.model_integers, e->f->squares[i][0], e->f->failed, e->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures live: live_numbers(e->f->squares, e->f->l.rows) && mpz_initialised(e->t);
    ensures column: e->f->failed == \old(e->f->failed) || e->f->failed == i;
    ensures after: rows_before(e, e->f->l.rows, i + 1); */
static void factor_row(elimination *e, size_t i) {
  if (atomic_load(&e->failed)) return;
  cholesky_scratch z;
  scratch_init(&z);
  /*@ assert same: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
  /*@ assert each: \forall integer k; 0 <= k < e->f->l.rows ==> \valid_read{Pre}(&e->f->squares[k][0]); */
  /*@ assert each_same: \forall integer k; 0 <= k < e->f->l.rows ==> same_life{Pre, Here}(&e->f->squares[k][0]); */
  /*@ assert live: live_numbers(e->f->squares, e->f->l.rows) && mpz_initialised(e->t); */
  /*@ assert before: rows_before(e, e->f->l.rows, i); */
  factor_row_with(e, i, &z);
  //@ ghost Done:;
  scratch_clear(&z);
  /*@ assert squares: \forall integer k; 0 <= k < e->f->l.rows ==> unchanged{Done, Here}(&e->f->squares[k][0]); */
  /*@ assert system: e->f->l.model_integers == \at(e->f->l.model_integers, Done) &&
        e->g->model_integers == \at(e->g->model_integers, Done) && mpz_value(e->t) == mpz_value{Done}(e->t); */
  /*@ assert block: e->first == \at(e->first, Done) && e->end == \at(e->end, Done) &&
        e->f->l.rows == \at(e->f->l.rows, Done) && (e->failed <==> \at(e->failed, Done)); */
  /*@ assert after: rows_before(e, e->f->l.rows, i + 1); */
  /*@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
  /*@ assert live_again: \forall integer k; 0 <= k < e->f->l.rows ==> same_life{Pre, Here}(&e->f->squares[k][0]); */
}

/*@ requires memory: elimination_memory(e, e->f->l.rows);
    requires position: e->first < e->end <= e->f->l.rows && 0 <= index < e->f->l.rows - e->end;
    requires before: rows_before(e, e->f->l.rows, e->end + index);
    terminates \true;
    assigns e->f->l.model_integers, e->f->squares[e->end + index][0], e->f->failed, e->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures live: live_numbers(e->f->squares, e->f->l.rows) && mpz_initialised(e->t);
    ensures column: e->f->failed == \old(e->f->failed) || e->f->failed == e->end + index;
    ensures after: rows_before(e, e->f->l.rows, e->end + index + 1); */
static void factor_row_below(elimination *e, int index) {
  factor_row(e, e->end + (size_t)index);
}

PARALLEL_TASK(factor_row_below)

/* Unless a row failed, so many columns are eliminated. */
/*@ predicate columns_before{L}(elimination *e, integer n, integer columns) =
      !e->failed ==> factored(&e->f->l, e->g, e->t, e->f->squares, n, columns); */

/* The block of columns that begins at e->first. */
/*@ requires memory: elimination_memory(e, e->f->l.rows);
    requires position: e->first < e->f->l.rows;
    requires column: e->f->failed <= e->f->l.rows;
    requires before: columns_before(e, e->f->l.rows, e->first);
    terminates \true;
    assigns e->end, e->f->l.model_integers, e->f->squares[0 .. e->f->l.rows - 1][0], e->f->failed, e->failed,
      mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures live: live_numbers(e->f->squares, e->f->l.rows) && mpz_initialised(e->t);
    ensures block: e->first < e->end <= e->f->l.rows;
    ensures column: e->f->failed <= e->f->l.rows;
    ensures after: columns_before(e, e->f->l.rows, e->end); */
static void factor_block(elimination *e, int threads) {
  const size_t n = e->f->l.rows;
  e->end = e->first + BLOCK < n ? e->first + BLOCK : n;
  /*@ assert begun: rows_before(e, n, e->first); */
  /*@ loop invariant range: e->first <= i <= e->end;
      loop invariant lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
      loop invariant live: live_numbers(e->f->squares, n) && mpz_initialised(e->t);
      loop invariant column: e->f->failed <= n;
      loop invariant before: rows_before(e, n, i);
      loop assigns i, e->f->l.model_integers, e->f->squares[0 .. n - 1][0], e->f->failed, e->failed, mpfr_lives,
        mpz_lives;
      loop variant e->end - i; */
  for (size_t i = e->first; i < e->end; i++) factor_row(e, i);
  /*@ loop invariant range: 0 <= parallel_index <= n - e->end;
      loop invariant lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
      loop invariant live: live_numbers(e->f->squares, n) && mpz_initialised(e->t);
      loop invariant column: e->f->failed <= n;
      loop invariant before: rows_before(e, n, e->end + parallel_index);
      loop assigns parallel_index, e->f->l.model_integers, e->f->squares[0 .. n - 1][0], e->f->failed, e->failed,
        mpfr_lives, mpz_lives;
      loop variant n - e->end - parallel_index; */
  PARALLEL_FOR((int)(n - e->end), threads, factor_row_below, e);
  /*@ assert all: rows_before(e, n, n); */
}

/*@ requires memory: \valid(squares + (0 .. n - 1)) && live_numbers(squares, n);
    terminates \true;
    assigns squares[0 .. n - 1][0];
    ensures zero: \forall integer k; 0 <= k < n ==> at_least(&squares[k][0], 0.0); */
static void squares_to_zero(mpfr_t *squares, size_t n) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant zero: \forall integer k; 0 <= k < i ==> at_least(&squares[k][0], 0.0);
      loop assigns i, squares[0 .. n - 1][0];
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) mpfr_set_zero(squares[i], 1);
}

/* L and the squares of R's rows; false where there is none. */
/*@ requires memory: factor_memory(f, g, t, f->l.rows);
    terminates \true;
    assigns f->l.model_integers, f->failed, f->squares[0 .. f->l.rows - 1][0], mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures live: live_numbers(f->squares, f->l.rows);
    ensures column: f->failed <= f->l.rows;
    ensures factored: \result ==> factored(&f->l, g, t, f->squares, f->l.rows, f->l.rows); */
static bool factor(integer_cholesky *f, const fixed_matrix *g, mpz_srcptr t, int threads) {
  const size_t n = f->l.rows;
  elimination e = {.f = f, .g = g, .t = t};
  atomic_init(&e.failed, false);
  f->failed = n;
  squares_to_zero(f->squares, n);
  /*@ assert none: columns_before(&e, n, 0); */
  /*@ loop invariant range: e.first <= n;
      loop invariant lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
      loop invariant live: live_numbers(f->squares, n) && mpz_initialised(t);
      loop invariant system: e.f == f && e.g == g && e.t == t;
      loop invariant column: f->failed <= n;
      loop invariant before: columns_before(&e, n, e.first);
      loop assigns e.first, e.end, e.failed, f->l.model_integers, f->squares[0 .. n - 1][0], f->failed, mpfr_lives,
        mpz_lives;
      loop variant n - e.first; */
  for (; e.first < n && !atomic_load(&e.failed); e.first = e.end) factor_block(&e, threads);
  return !atomic_load(&e.failed);
}

bool integer_cholesky_residual(mpfr_ptr residual, integer_cholesky *f, const fixed_matrix *g, mpz_srcptr t,
                               int threads) {
  const bool positive = factor(f, g, t, threads);
  /*@ assert live: initialised(residual); */
  /*@ assert bounds: positive ==> \forall rvec r;
        remainder_rows(r, f->l.model_integers, g->model_integers, mpz_value(t), f->l.rows) ==>
        bounds_vec(f->squares, r, f->l.rows); */
  //@ ghost Factored:;
  sum_upward_root(residual, f->squares, (int)f->l.rows);
  /*@ assert kept: f->l.model_integers == \at(f->l.model_integers, Factored) &&
        g->model_integers == \at(g->model_integers, Factored) && mpz_value(t) == mpz_value{Factored}(t); */
  return positive;
}
