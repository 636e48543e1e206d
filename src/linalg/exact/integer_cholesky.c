#include "linalg/exact/integer_cholesky.h"

#include "base/arrays.h"
#include "base/parallel.h"

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

attcert_status integer_cholesky_init(integer_cholesky *f, size_t n, size_t digits, attcert_error *err) {
  const bool factor = fixed_matrix_init(&f->l, n, n, digits, 0);
  const bool squares = fixed_matrix_init(&f->squares, n, 1, 2 * digits + 1, 0);
  f->failed = n;
  if (factor && squares) return ATTCERT_OK;
  return array_out_of_memory(err, fixed_matrix_bytes(n, n, digits), "the Cholesky factor of side %zu in fixed point",
                             n);
}

void integer_cholesky_clear(integer_cholesky *f) {
  fixed_matrix_clear(&f->l);
  fixed_matrix_clear(&f->squares);
}

/* The columns before `columns` are eliminated. */
/*@ predicate factored{L}(fixed_matrix *l, fixed_matrix *g, mpz_srcptr t, fixed_matrix *squares, integer n,
                          integer columns) =
      pivots(l->model_integers, columns) &&
      \forall integer i; 0 <= i < n ==>
        cholesky_squares(l->model_integers, g->model_integers, mpz_value(t), i, i < columns ? i + 1 : columns) <=
          integer_at(squares->model_integers, i, 0); */

/* In the columns first .. end - 1 the rows before i are there. */
/*@ predicate block_begun{L}(fixed_matrix *l, fixed_matrix *g, mpz_srcptr t, fixed_matrix *squares, integer n,
                             integer first, integer end, integer i) =
      pivots(l->model_integers, i < end ? i : end) &&
      \forall integer k; 0 <= k < n ==>
        cholesky_squares(l->model_integers, g->model_integers, mpz_value(t), k,
                         i <= k ? first : k < end ? k + 1 : end) <= integer_at(squares->model_integers, k, 0); */

/* What a row is computed in, and its sum of squares while it is. */
typedef struct {
  cholesky_scratch z;
  mpfr_t sum;
  mpz_t whole;
} row_scratch;

/*@ predicate row_scratch_ready{L}(row_scratch *z) =
      cholesky_scratch_ready(&z->z) && initialised(&z->sum[0]) && mpz_initialised(&z->whole[0]);

    predicate step_memory{L}(cholesky_system s, fixed_matrix *squares, integer n, row_scratch *z) =
      \valid(s.l) && \valid_read(s.g) && \valid_read(s.t) && mpz_initialised(s.t) && \valid(squares) &&
      squares->rows == n && squares->cols == 1 && \valid(z) && row_scratch_ready(z) &&
      \separated(s.l, s.g, s.t, squares, z) && n == s.l->rows && cholesky_room(s.l, s.g);

    predicate elimination_memory{L}(elimination *e, integer n) =
      \valid(e) && factor_memory(e->f, e->g, e->t, n) && \separated(e, e->f, e->g, e->t);

    // Unless a row failed, the rows before i are there in the block of columns.
    predicate rows_before{L}(elimination *e, integer n, integer i) =
      !e->failed ==> block_begun(&e->f->l, e->g, e->t, &e->f->squares, n, e->first, e->end, i); */

/* Row i of the block, its entries; z->sum: a bound of its sum of squares, before and after. */
/*@ requires memory: \valid(s.l) && \valid_read(s.g) && \valid_read(s.t) && mpz_initialised(s.t) && \valid(z) &&
      row_scratch_ready(z) && \separated(s.l, s.g, s.t, z) && cholesky_room(s.l, s.g);
    requires position: first <= i < s.l->rows && first < end <= s.l->rows;
    requires pivots: pivots(s.l->model_integers, i < end ? i : end);
    requires sum: at_least(&z->sum[0], cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i,
                                                        first));
    terminates \true;
    assigns s.l->model_integers, *z;
    ensures rows: other_rows(\old(s.l->model_integers), s.l->model_integers, i);
    ensures pivots: \result == CHOLESKY_DONE ==> pivots(s.l->model_integers, i + 1 < end ? i + 1 : end);
    ensures sum: \result == CHOLESKY_DONE ==>
      at_least(&z->sum[0], cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i,
                                            i < end ? i + 1 : end)); */
static cholesky_outcome row_entries(cholesky_system s, size_t i, size_t first, size_t end, row_scratch *z) {
  const cholesky_outcome outcome = integer_cholesky_row(s, z->sum, i, first, end, &z->z);
  /*@ assert matrix: s.g->model_integers == \at(s.g->model_integers, Pre); */
  /*@ assert shift: mpz_value(s.t) == mpz_value{Pre}(s.t); */
  return outcome;
}

/* Integer i of the squares := z->sum, upward; false where that is no number or has too many digits. */
/*@ requires valid: \valid(squares) && \valid(z) && row_scratch_ready(z) && \separated(squares, z);
    requires position: i < squares->rows && squares->cols == 1;
    terminates \true;
    assigns squares->model_integers, z->whole->model_value;
    ensures others: other_rows(\old(squares->model_integers), squares->model_integers, i);
    ensures sum: \result ==> \forall real x; at_least(&z->sum[0], x) ==>
      x <= integer_at(squares->model_integers, i, 0); */
static bool put_squares(fixed_matrix *squares, size_t i, row_scratch *z) {
  if (!mpfr_number_p(z->sum)) return false;
  mpfr_get_z(z->whole, z->sum, MPFR_RNDU);
  if (!fixed_matrix_fits(squares, z->whole)) return false;
  fixed_matrix_set(squares, i, 0, z->whole);
  return true;
}

/* Row i of the block, its entries and its sum of squares. */
/*@ requires memory: step_memory(s, squares, s.l->rows, z);
    requires position: first <= i < s.l->rows && first < end <= s.l->rows;
    requires before: block_begun(s.l, s.g, s.t, squares, s.l->rows, first, end, i);
    terminates \true;
    assigns s.l->model_integers, squares->model_integers, *z;
    ensures after: \result == CHOLESKY_DONE ==>
      block_begun(s.l, s.g, s.t, squares, s.l->rows, first, end, i + 1); */
static cholesky_outcome next_row(cholesky_system s, fixed_matrix *squares, size_t i, size_t first, size_t end,
                                 row_scratch *z) {
  fixed_matrix_get(z->whole, squares, i, 0);
  mpfr_set_z(z->sum, z->whole, MPFR_RNDU);
  /*@ assert sum: at_least(&z->sum[0], cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i,
                                                        first)); */
  const cholesky_outcome outcome = row_entries(s, i, first, end, z);
  /*@ assert matrix: s.g->model_integers == \at(s.g->model_integers, Pre); */
  /*@ assert shift: mpz_value(s.t) == mpz_value{Pre}(s.t); */
  /*@ assert squares: squares->model_integers == \at(squares->model_integers, Pre); */
  if (outcome != CHOLESKY_DONE) return outcome;
  //@ ghost Entries:;
  if (!put_squares(squares, i, z)) return CHOLESKY_TOO_LONG;
  /*@ assert factor: s.l->model_integers == \at(s.l->model_integers, Entries); */
  /*@ assert system: s.g->model_integers == \at(s.g->model_integers, Pre) && mpz_value(s.t) == mpz_value{Pre}(s.t); */
  /*@ assert rows: \forall integer k, c; k != i ==> c <= i ==>
        cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), k, c) ==
        cholesky_squares(\at(s.l->model_integers, Pre), s.g->model_integers, mpz_value(s.t), k, c); */
  /*@ assert others: \forall integer k; 0 <= k < s.l->rows ==> k != i ==>
        cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), k,
                         i <= k ? first : k < end ? k + 1 : end) <= integer_at(squares->model_integers, k, 0); */
  /*@ assert own: cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i,
                                   i < end ? i + 1 : end) <= integer_at(squares->model_integers, i, 0); */
  return outcome;
}

/* All numbers but those of the scratch live as before. */
/*@ predicate lives_outside_entry{L1, L2}(cholesky_scratch *z) =
      (\forall mpfr_srcptr x; x != \at(&z->r[0], L1) ==> x != \at(&z->square[0], L1) ==> same_life{L1, L2}(x)) &&
      (\forall mpz_srcptr x; x != \at(&z->c[0], L1) ==> x != \at(&z->entry[0], L1) ==> x != \at(&z->half[0], L1) ==>
        x != \at(&z->quotient[0], L1) ==> x != \at(&z->remainder[0], L1) ==>
        (mpz_initialised{L1}(x) <==> mpz_initialised{L2}(x)));
    predicate lives_outside_row{L1, L2}(row_scratch *z) =
      (\forall mpfr_srcptr x; x != \at(&z->z.r[0], L1) ==> x != \at(&z->z.square[0], L1) ==>
        x != \at(&z->sum[0], L1) ==> same_life{L1, L2}(x)) &&
      (\forall mpz_srcptr x; x != \at(&z->z.c[0], L1) ==> x != \at(&z->z.entry[0], L1) ==>
        x != \at(&z->z.half[0], L1) ==> x != \at(&z->z.quotient[0], L1) ==> x != \at(&z->z.remainder[0], L1) ==>
        x != \at(&z->whole[0], L1) ==> (mpz_initialised{L1}(x) <==> mpz_initialised{L2}(x)));

    predicate entry_scratch_owned{L}(cholesky_scratch *z) =
      cholesky_scratch_ready(z) && owned(&z->r[0]) && owned(&z->square[0]);
    predicate row_scratch_owned{L}(row_scratch *z) =
      entry_scratch_owned(&z->z) && owned(&z->sum[0]) && mpz_initialised(&z->whole[0]); */

/*@ requires valid: \valid(z);
    terminates \true;
    assigns *z, mpfr_lives, mpz_lives;
    ensures owned: entry_scratch_owned(z);
    ensures others: lives_outside_entry{Pre, Post}(z); */
static void entry_scratch_init(cholesky_scratch *z) {
  mpz_init(z->c);
  mpz_init(z->entry);
  mpz_init(z->half);
  mpz_init(z->quotient);
  mpz_init(z->remainder);
  mpfr_init2(z->r, 64);
  mpfr_init2(z->square, 64);
}

/*@ requires valid: \valid(z);
    requires owned: entry_scratch_owned(z);
    terminates \true;
    assigns *z, mpfr_lives, mpz_lives;
    ensures others: lives_outside_entry{Pre, Post}(z); */
static void entry_scratch_clear(cholesky_scratch *z) {
  mpz_clear(z->c);
  mpz_clear(z->entry);
  mpz_clear(z->half);
  mpz_clear(z->quotient);
  mpz_clear(z->remainder);
  mpfr_clear(z->r);
  mpfr_clear(z->square);
}

/*@ requires valid: \valid(z);
    terminates \true;
    assigns *z, mpfr_lives, mpz_lives;
    ensures owned: row_scratch_owned(z);
    ensures others: lives_outside_row{Pre, Post}(z); */
static void row_scratch_init(row_scratch *z) {
  entry_scratch_init(&z->z);
  mpz_init(z->whole);
  mpfr_init2(z->sum, 64);
}

/*@ requires valid: \valid(z);
    requires owned: row_scratch_owned(z);
    terminates \true;
    assigns *z, mpfr_lives, mpz_lives;
    ensures others: lives_outside_row{Pre, Post}(z); */
static void row_scratch_clear(row_scratch *z) {
  mpfr_clear(z->sum);
  mpz_clear(z->whole);
  entry_scratch_clear(&z->z);
}

/* Row i of the block of columns, and whether it failed. */
/*@ requires memory: elimination_memory(e, e->f->l.rows);
    requires scratch: \valid(z) && row_scratch_ready(z) && \separated(z, e, e->f, e->g, e->t);
    requires position: e->first <= i < e->f->l.rows && e->first < e->end <= e->f->l.rows;
    requires before: !e->failed && rows_before(e, e->f->l.rows, i);
    terminates \true;
    assigns e->f->l.model_integers, e->f->squares.model_integers, e->f->failed, e->failed, *z;
    ensures column: e->f->failed == \old(e->f->failed) || e->f->failed == i;
    ensures after: rows_before(e, e->f->l.rows, i + 1); */
static void factor_row_with(elimination *e, size_t i, row_scratch *z) {
  const cholesky_system s = {.l = &e->f->l, .g = e->g, .t = e->t};
  const cholesky_outcome outcome = next_row(s, &e->f->squares, i, e->first, e->end, z);
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
    assigns e->f->l.model_integers, e->f->squares.model_integers, e->f->failed, e->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures live: mpz_initialised(e->t);
    ensures column: e->f->failed == \old(e->f->failed) || e->f->failed == i;
    ensures after: rows_before(e, e->f->l.rows, i + 1); */
static void factor_row(elimination *e, size_t i) {
  if (atomic_load(&e->failed)) return;
  row_scratch z;
  row_scratch_init(&z);
  /*@ assert same: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
  /*@ assert live: mpz_initialised(e->t); */
  /*@ assert before: rows_before(e, e->f->l.rows, i); */
  factor_row_with(e, i, &z);
  //@ ghost Done:;
  row_scratch_clear(&z);
  /*@ assert squares: e->f->squares.model_integers == \at(e->f->squares.model_integers, Done); */
  /*@ assert system: e->f->l.model_integers == \at(e->f->l.model_integers, Done) &&
        e->g->model_integers == \at(e->g->model_integers, Done) && mpz_value(e->t) == mpz_value{Done}(e->t); */
  /*@ assert block: e->first == \at(e->first, Done) && e->end == \at(e->end, Done) &&
        e->f->l.rows == \at(e->f->l.rows, Done) && (e->failed <==> \at(e->failed, Done)); */
  /*@ assert after: rows_before(e, e->f->l.rows, i + 1); */
  /*@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
}

/*@ requires memory: elimination_memory(e, e->f->l.rows);
    requires position: e->first < e->end <= e->f->l.rows && 0 <= index < e->f->l.rows - e->end;
    requires before: rows_before(e, e->f->l.rows, e->end + index);
    terminates \true;
    assigns e->f->l.model_integers, e->f->squares.model_integers, e->f->failed, e->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures live: mpz_initialised(e->t);
    ensures column: e->f->failed == \old(e->f->failed) || e->f->failed == e->end + index;
    ensures after: rows_before(e, e->f->l.rows, e->end + index + 1); */
static void factor_row_below(elimination *e, int index) {
  factor_row(e, e->end + (size_t)index);
}

PARALLEL_TASK(factor_row_below)

/* Unless a row failed, so many columns are eliminated. */
/*@ predicate columns_before{L}(elimination *e, integer n, integer columns) =
      !e->failed ==> factored(&e->f->l, e->g, e->t, &e->f->squares, n, columns); */

/* The block of columns that begins at e->first. */
/*@ requires memory: elimination_memory(e, e->f->l.rows);
    requires position: e->first < e->f->l.rows;
    requires column: e->f->failed <= e->f->l.rows;
    requires before: columns_before(e, e->f->l.rows, e->first);
    terminates \true;
    assigns e->end, e->f->l.model_integers, e->f->squares.model_integers, e->f->failed, e->failed, mpfr_lives,
      mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures live: mpz_initialised(e->t);
    ensures block: e->first < e->end <= e->f->l.rows;
    ensures column: e->f->failed <= e->f->l.rows;
    ensures after: columns_before(e, e->f->l.rows, e->end); */
static void factor_block(elimination *e, int threads) {
  const size_t n = e->f->l.rows;
  e->end = e->first + BLOCK < n ? e->first + BLOCK : n;
  /*@ assert begun: rows_before(e, n, e->first); */
  /*@ loop invariant range: e->first <= i <= e->end;
      loop invariant lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
      loop invariant live: mpz_initialised(e->t);
      loop invariant column: e->f->failed <= n;
      loop invariant before: rows_before(e, n, i);
      loop assigns i, e->f->l.model_integers, e->f->squares.model_integers, e->f->failed, e->failed, mpfr_lives,
        mpz_lives;
      loop variant e->end - i; */
  for (size_t i = e->first; i < e->end; i++) factor_row(e, i);
  /*@ loop invariant range: 0 <= parallel_index <= n - e->end;
      loop invariant lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
      loop invariant live: mpz_initialised(e->t);
      loop invariant column: e->f->failed <= n;
      loop invariant before: rows_before(e, n, e->end + parallel_index);
      loop assigns parallel_index, e->f->l.model_integers, e->f->squares.model_integers, e->f->failed, e->failed,
        mpfr_lives, mpz_lives;
      loop variant n - e->end - parallel_index; */
  PARALLEL_FOR((int)(n - e->end), threads, factor_row_below, e);
  /*@ assert all: rows_before(e, n, n); */
}

/*@ requires memory: \valid(squares) && squares->cols == 1;
    terminates \true;
    assigns squares->model_integers, mpz_lives;
    ensures lives: same_mpz_lives{Pre, Post};
    ensures zero: \forall integer k; 0 <= k < squares->rows ==> integer_at(squares->model_integers, k, 0) == 0.0; */
static void squares_to_zero(fixed_matrix *squares) {
  mpz_t zero;
  mpz_init(zero);
  /*@ assert fits: \abs(mpz_value(&zero[0])) < power_of_two(FIXED_DIGIT_BITS * squares->digits); */
  /*@ loop invariant range: 0 <= i <= squares->rows;
      loop invariant zero: \forall integer k; 0 <= k < i ==> integer_at(squares->model_integers, k, 0) == 0.0;
      loop assigns i, squares->model_integers;
      loop variant squares->rows - i; */
  for (size_t i = 0; i < squares->rows; i++) fixed_matrix_set(squares, i, 0, zero);
  mpz_clear(zero);
}

/* L and the squares of R's rows; false where there is none. */
/*@ requires memory: factor_memory(f, g, t, f->l.rows);
    terminates \true;
    assigns f->l.model_integers, f->squares.model_integers, f->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures column: f->failed <= f->l.rows;
    ensures factored: \result ==> factored(&f->l, g, t, &f->squares, f->l.rows, f->l.rows); */
static bool factor(integer_cholesky *f, const fixed_matrix *g, mpz_srcptr t, int threads) {
  const size_t n = f->l.rows;
  elimination e = {.f = f, .g = g, .t = t};
  atomic_init(&e.failed, false);
  f->failed = n;
  squares_to_zero(&f->squares);
  /*@ assert none: columns_before(&e, n, 0); */
  /*@ loop invariant range: e.first <= n;
      loop invariant lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
      loop invariant live: mpz_initialised(t);
      loop invariant system: e.f == f && e.g == g && e.t == t;
      loop invariant column: f->failed <= n;
      loop invariant before: columns_before(&e, n, e.first);
      loop assigns e.first, e.end, e.failed, f->l.model_integers, f->squares.model_integers, f->failed, mpfr_lives,
        mpz_lives;
      loop variant n - e.first; */
  for (; e.first < n && !atomic_load(&e.failed); e.first = e.end) factor_block(&e, threads);
  return !atomic_load(&e.failed);
}

/* root := sqrt(the sum of the squares), upward; x, total: scratch. */
/*@ requires valid: \valid(root) && \valid_read(squares) && \valid(x) && \valid(total) &&
      \separated(root, squares, x, total) && squares->cols == 1;
    requires live: initialised(root) && mpz_initialised(x) && mpz_initialised(total);
    requires zero: mpz_value(total) == 0.0;
    terminates \true;
    assigns *root, x->model_value, total->model_value;
    ensures upper: \forall rvec r; (\forall integer i; 0 <= i < squares->rows ==>
        entry(r, i) <= integer_at(squares->model_integers, i, 0)) ==> 0.0 <= sum_from(0.0, r, squares->rows) ==>
      at_least(root, rroot(sum_from(0.0, r, squares->rows))); */
static void root_of_sum(mpfr_ptr root, const fixed_matrix *squares, mpz_ptr x, mpz_ptr total) {
  /*@ loop invariant range: 0 <= i <= squares->rows;
      loop invariant upper: \forall rvec r; (\forall integer k; 0 <= k < i ==>
          entry(r, k) <= integer_at(squares->model_integers, k, 0)) ==> sum_from(0.0, r, i) <= mpz_value(total);
      loop assigns i, x->model_value, total->model_value;
      loop variant squares->rows - i; */
  for (size_t i = 0; i < squares->rows; i++) {
    fixed_matrix_get(x, squares, i, 0);
    mpz_add(total, total, x);
  }
  mpfr_set_z(root, total, MPFR_RNDU);
  mpfr_sqrt(root, root, MPFR_RNDU);
}

/* The same with room of its own. */
/*@ requires valid: \valid(root) && \valid_read(squares) && \separated(root, squares) && squares->cols == 1;
    requires live: initialised(root);
    terminates \true;
    assigns *root, mpz_lives;
    ensures lives: same_mpz_lives{Pre, Post};
    ensures upper: \forall rvec r; (\forall integer i; 0 <= i < squares->rows ==>
        entry(r, i) <= integer_at(squares->model_integers, i, 0)) ==> 0.0 <= sum_from(0.0, r, squares->rows) ==>
      at_least(root, rroot(sum_from(0.0, r, squares->rows))); */
static void root_of_squares(mpfr_ptr root, const fixed_matrix *squares) {
  mpz_t x, total;
  mpz_init(x);
  mpz_init(total);
  root_of_sum(root, squares, x, total);
  //@ ghost Rooted:;
  mpz_clear(x);
  mpz_clear(total);
  /*@ assert kept: unchanged{Rooted, Here}(root); */
}

bool integer_cholesky_residual(mpfr_ptr residual, integer_cholesky *f, const fixed_matrix *g, mpz_srcptr t,
                               int threads) {
  const bool positive = factor(f, g, t, threads);
  /*@ assert live: initialised(residual); */
  /*@ assert bounds: positive ==> \forall rvec r;
        remainder_rows(r, f->l.model_integers, g->model_integers, mpz_value(t), f->l.rows) ==>
        \forall integer i; 0 <= i < f->l.rows ==> entry(r, i) <= integer_at(f->squares.model_integers, i, 0); */
  //@ ghost Factored:;
  root_of_squares(residual, &f->squares);
  /*@ assert kept: f->l.model_integers == \at(f->l.model_integers, Factored) &&
        g->model_integers == \at(g->model_integers, Factored) && mpz_value(t) == mpz_value{Factored}(t); */
  return positive;
}
