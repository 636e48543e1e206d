#include "certify/explicit/explicit_gram_product.h"

#include "base/parallel.h"

#include <stdatomic.h>

/* Rows that stay in the cache while the others pass by. */
enum { BLOCK = 16 };

typedef struct {
  explicit_side side;
  fixed_matrix *rounded; /* A~ */
  fixed_matrix *product; /* A~ A~^T */
  atomic_size_t inexact; /* entries of D that are not 0 */
  atomic_bool too_long;  /* an entry has more digits than there is room for */
} multiplication;

/*@ predicate multiplication_memory{L}(multiplication *p) =
      \valid(p) && product_memory(p->product, p->rounded, p->side) &&
      \separated(p, p->product, p->rounded, p->side.mid + (0 .. row(p->rounded->rows, p->rounded->cols) - 1));

    // At most `count` entries of the rows before i were rounded, each by half a unit or less.
    predicate rounded_before{L}(explicit_side s, fixed_matrix *a, integer count, integer i) =
      \forall rvec r; points_are{L}(s.mid, r, row(a->rows, a->cols)) ==>
        4.0 * rounding_sum(r, s.columns, s.transposed, a->model_integers, power_of_two(a->exponent), a->cols, i) <=
          prod(count, prod(power_of_two(a->exponent), power_of_two(a->exponent)));

    // Unless an entry was too long, the rows before i are rounded.
    predicate rows_rounded{L}(multiplication *p, integer i) =
      p->inexact <= row(i, p->rounded->cols) &&
      (!p->too_long ==> rounded_before(p->side, p->rounded, p->inexact, i));

    // Unless an entry was too long, the rows from i on are multiplied.
    predicate rows_multiplied{L}(multiplication *p, integer i) =
      !p->too_long ==>
        gram_rows(p->product->model_integers, p->rounded->model_integers, i, p->rounded->rows, p->rounded->cols); */

/* Row i of A~, and how many of its entries were rounded. */
/*@ requires memory: \valid(a) && \valid(count) && side_of(s, a) && -0x7fffffffffffffff <= a->exponent &&
      \separated(a, count, s.mid + (0 .. row(a->rows, a->cols) - 1));
    requires position: i < a->rows;
    terminates \true;
    assigns a->model_integers, *count, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures others: other_rows(\old(a->model_integers), a->model_integers, i);
    ensures counted: *count <= a->cols;
    ensures near: \result ==> \forall rvec r; points_are{Pre}(s.mid, r, row(a->rows, a->cols)) ==>
      4.0 * rounding_squares(side_row(r, s.columns, s.transposed, i), a->model_integers, i, power_of_two(a->exponent),
                             a->cols) <= prod(*count, prod(power_of_two(a->exponent), power_of_two(a->exponent))); */
static bool round_side_row(fixed_matrix *a, explicit_side s, size_t i, size_t *count) {
  /*@ assert inside: \forall integer k; 0 <= k < a->cols ==> 0 <= row(i, a->cols) + k < row(a->rows, a->cols); */
  /*@ assert turned: row(a->rows, a->cols) == row(a->cols, a->rows); */
  /*@ assert inside_column: \forall integer k; 0 <= k < a->cols ==>
        0 <= row(k, a->rows) + i < row(a->rows, a->cols); */
  if (s.transposed) {
    /*@ assert column: \forall rvec r; points_are{Pre}(s.mid, r, row(a->rows, a->cols)) ==>
          strided_points_are(s.mid + i, s.columns, side_row(r, s.columns, s.transposed, i), a->cols); */
    return fixed_matrix_round_row(a, i, s.mid + i, s.columns, count);
  }
  /*@ assert place: i * s.columns == row(i, a->cols); */
  /*@ assert ones: row(a->cols, 1) == a->cols; */
  /*@ assert row: \forall rvec r; points_are{Pre}(s.mid, r, row(a->rows, a->cols)) ==>
        strided_points_are(s.mid + row(i, a->cols), 1, side_row(r, s.columns, s.transposed, i), a->cols); */
  return fixed_matrix_round_row(a, i, s.mid + i * s.columns, 1, count);
}

/*@ requires memory: multiplication_memory(p);
    requires position: 0 <= i < p->rounded->rows;
    requires before: rows_rounded(p, i);
    terminates \true;
    assigns p->rounded->model_integers, p->inexact, p->too_long, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures live: live_points(p->side.mid, row(p->rounded->rows, p->rounded->cols));
    ensures after: rows_rounded(p, i + 1); */
static void round_row(multiplication *p, int i) {
  size_t inexact;
  const bool fits = round_side_row(p->rounded, p->side, (size_t)i, &inexact);
  /*@ assert each: \forall integer t; 0 <= t < row(p->rounded->rows, p->rounded->cols) ==>
        \valid_read{Pre}(&(p->side.mid + t)->v[0]); */
  /*@ assert each_same: \forall integer t; 0 <= t < row(p->rounded->rows, p->rounded->cols) ==>
        same_life{Pre, Here}(&(p->side.mid + t)->v[0]); */
  /*@ assert points: \forall rvec r; points_are(p->side.mid, r, row(p->rounded->rows, p->rounded->cols)) ==>
        points_are{Pre}(p->side.mid, r, row(p->rounded->rows, p->rounded->cols)); */
  /*@ assert earlier: \forall rvec r;
        rounding_sum(r, p->side.columns, p->side.transposed, p->rounded->model_integers,
                     power_of_two(p->rounded->exponent), p->rounded->cols, i) ==
        rounding_sum(r, p->side.columns, p->side.transposed, \at(p->rounded->model_integers, Pre),
                     power_of_two(p->rounded->exponent), p->rounded->cols, i); */
  /*@ assert next: \forall rvec r;
        rounding_sum(r, p->side.columns, p->side.transposed, p->rounded->model_integers,
                     power_of_two(p->rounded->exponent), p->rounded->cols, i + 1) ==
        rounding_sum(r, p->side.columns, p->side.transposed, p->rounded->model_integers,
                     power_of_two(p->rounded->exponent), p->rounded->cols, i) +
        rounding_squares(side_row(r, p->side.columns, p->side.transposed, i), p->rounded->model_integers, i,
                         power_of_two(p->rounded->exponent), p->rounded->cols); */
  /*@ assert before: !p->too_long ==> \forall rvec r;
        points_are{Pre}(p->side.mid, r, row(p->rounded->rows, p->rounded->cols)) ==>
        4.0 * rounding_sum(r, p->side.columns, p->side.transposed, p->rounded->model_integers,
                           power_of_two(p->rounded->exponent), p->rounded->cols, i) <=
          prod(p->inexact, prod(power_of_two(p->rounded->exponent), power_of_two(p->rounded->exponent))); */
  /*@ assert own: fits ==> \forall rvec r;
        points_are{Pre}(p->side.mid, r, row(p->rounded->rows, p->rounded->cols)) ==>
        4.0 * rounding_squares(side_row(r, p->side.columns, p->side.transposed, i), p->rounded->model_integers, i,
                               power_of_two(p->rounded->exponent), p->rounded->cols) <=
          prod(inexact, prod(power_of_two(p->rounded->exponent), power_of_two(p->rounded->exponent))); */
  /*@ assert added: \forall real x; prod(p->inexact + inexact, x) == prod(p->inexact, x) + prod(inexact, x); */
  /*@ assert sum: !p->too_long ==> fits ==> \forall rvec r;
        points_are{Pre}(p->side.mid, r, row(p->rounded->rows, p->rounded->cols)) ==>
        4.0 * rounding_sum(r, p->side.columns, p->side.transposed, p->rounded->model_integers,
                           power_of_two(p->rounded->exponent), p->rounded->cols, i + 1) <=
          prod(p->inexact + inexact, prod(power_of_two(p->rounded->exponent), power_of_two(p->rounded->exponent))); */
  /*@ assert count: p->inexact + inexact <= row(i + 1, p->rounded->cols) <=
        row(p->rounded->rows, p->rounded->cols); */
  /*@ assert room: row(p->rounded->rows, p->rounded->cols) <= 0x1000000000000000; */
  //@ ghost Rounded:;
  if (fits)
    atomic_fetch_add(&p->inexact, inexact);
  else
    atomic_store(&p->too_long, true);
  /*@ assert counted: p->inexact == \at(p->inexact, Rounded) + (fits ? inexact : 0) &&
        (p->too_long <==> \at(p->too_long, Rounded) || !fits); */
  /*@ assert matrix: p->rounded->model_integers == \at(p->rounded->model_integers, Rounded) &&
        p->rounded->rows == \at(p->rounded->rows, Pre) && p->rounded->cols == \at(p->rounded->cols, Pre) &&
        p->rounded->exponent == \at(p->rounded->exponent, Pre) && p->side == \at(p->side, Pre); */
  /*@ assert same: \forall rvec r; points_are(p->side.mid, r, row(p->rounded->rows, p->rounded->cols)) ==>
        points_are{Pre}(p->side.mid, r, row(p->rounded->rows, p->rounded->cols)); */
}

PARALLEL_TASK(round_row)

/* How many blocks of rows there are. */
/*@ logic integer block_count(integer rows) = (rows + 15) / 16; */

/* One block of rows of the lower triangle; the last, which is the longest, first. */
/*@ requires memory: multiplication_memory(p);
    requires position: 0 <= index < block_count(p->rounded->rows);
    requires before: rows_multiplied(p, (block_count(p->rounded->rows) - index) * 16);
    terminates \true;
    assigns p->product->model_integers, p->too_long, mpz_lives;
    ensures lives: same_mpz_lives{Pre, Post};
    ensures too_long: \old(p->too_long) ==> p->too_long;
    ensures after: rows_multiplied(p, (block_count(p->rounded->rows) - index - 1) * 16); */
static void multiply_block(multiplication *p, int index) {
  const int m = (int)p->rounded->rows, first = ((m - 1) / BLOCK - index) * BLOCK,
            end = first + BLOCK < m ? first + BLOCK : m;
  /*@ assert count: (m - 1) / BLOCK == block_count(m) - 1; */
  /*@ assert first: first == (block_count(m) - index - 1) * 16; */
  mpz_t sum;
  mpz_init(sum);
  const bool fits = integer_gram_rows(p->product, p->rounded, (size_t)first, (size_t)end, sum);
  /*@ assert rows: fits ==> !p->too_long ==> rows_multiplied(p, first); */
  if (!fits) atomic_store(&p->too_long, true);
  mpz_clear(sum);
}

PARALLEL_TASK(multiply_block)

/* error := the bound of ||A~ A~^T - A A^T||_2, after `inexact` entries were rounded. */
/*@ requires memory: \valid(error) && initialised(error) && \valid_read(a + (0 .. n - 1)) && live_points(a, n) &&
      \separated(error, a + (0 .. n - 1));
    requires exponent: -0x7fffffffffffffff <= exponent;
    terminates \true;
    assigns *error, mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures upper: \forall rvec r, real d; points_are{Pre}(a, r, n) ==> 0.0 <= d ==>
      4.0 * d <= prod(inexact, prod(power_of_two(exponent), power_of_two(exponent))) ==>
      nan(error) || at_least(error, prod(2.0 * rroot(squares_from(0.0, r, n)) + rroot(d), rroot(d))); */
static void rounding_error(mpfr_ptr error, const point *a, size_t n, size_t inexact, long exponent) {
  mpfr_t d, t;
  mpfr_init2(d, 64);
  /*@ assert lives_d: same_lives{Pre, Here} && owned(&d[0]); */
  mpfr_init2(t, 64);
  /*@ assert owned: owned(&d[0]) && owned(&t[0]); */
  /*@ assert lives: same_lives{Pre, Here} && initialised(error); */
  /*@ assert each: \forall integer k; 0 <= k < n ==> \valid_read{Pre}(&(a + k)->v[0]); */
  /*@ assert each_same: \forall integer k; 0 <= k < n ==> same_life{Pre, Here}(&(a + k)->v[0]); */
  /*@ assert same: \forall rvec r; points_are{Pre}(a, r, n) ==> points_are(a, r, n); */
  gram_rounding_error(error, a, n, inexact, exponent, d, t);
  //@ ghost Bounded:;
  mpfr_clear(d);
  mpfr_clear(t);
  /*@ assert kept: unchanged{Bounded, Here}(error); */
}

/*@ requires memory: multiplication_memory(p);
    requires none: p->inexact == 0 && !p->too_long;
    terminates \true;
    assigns p->rounded->model_integers, p->product->model_integers, p->inexact, p->too_long, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures live: live_points(p->side.mid, row(p->rounded->rows, p->rounded->cols));
    ensures rounded: !p->too_long ==> rounded_before(p->side, p->rounded, p->inexact, p->rounded->rows);
    ensures product: !p->too_long ==>
      gram_rows(p->product->model_integers, p->rounded->model_integers, 0, p->rounded->rows, p->rounded->cols); */
static void round_and_multiply(multiplication *p, int threads) {
  const int m = (int)p->rounded->rows;
  /*@ assert none: rows_rounded(p, 0); */
  /*@ loop invariant range: 0 <= parallel_index <= m;
      loop invariant lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
      loop invariant live: live_points(p->side.mid, row(p->rounded->rows, p->rounded->cols));
      loop invariant rounded: rows_rounded(p, parallel_index);
      loop assigns parallel_index, p->rounded->model_integers, p->inexact, p->too_long, mpfr_lives, mpz_lives;
      loop variant m - parallel_index; */
  PARALLEL_FOR(m, threads, round_row, p);
  //@ ghost Rounded:;
  /*@ assert last: rows_multiplied(p, block_count(m) * 16); */
  /*@ loop invariant range: 0 <= parallel_index <= block_count(m);
      loop invariant lives: same_mpz_lives{Pre, Here};
      loop invariant fits: \at(p->too_long, Rounded) ==> p->too_long;
      loop invariant product: rows_multiplied(p, (block_count(m) - parallel_index) * 16);
      loop assigns parallel_index, p->product->model_integers, p->too_long, mpz_lives;
      loop variant block_count(m) - parallel_index; */
  PARALLEL_FOR((m + BLOCK - 1) / BLOCK, threads, multiply_block, p);
  /*@ assert points: \forall rvec r; points_are(p->side.mid, r, row(p->rounded->rows, p->rounded->cols)) ==>
        points_are{Rounded}(p->side.mid, r, row(p->rounded->rows, p->rounded->cols)); */
}

/* By the choice of their digits every entry has room. */
bool explicit_gram_product(fixed_matrix *g, fixed_matrix *a, mpfr_ptr error, explicit_side s, int threads) {
  multiplication p = {.side = s, .rounded = a, .product = g};
  atomic_init(&p.inexact, 0);
  atomic_init(&p.too_long, false);
  round_and_multiply(&p, threads);
  /*@ assert live: initialised(error); */
  /*@ assert points: \forall rvec r; points_are{Pre}(s.mid, r, row(a->rows, a->cols)) ==>
        points_are(s.mid, r, row(a->rows, a->cols)); */
  /*@ assert count: a->rows * a->cols == row(a->rows, a->cols); */
  const size_t inexact = atomic_load(&p.inexact);
  /*@ assert system: p.rounded == a && p.side == s && inexact == p.inexact; */
  /*@ assert all: !p.too_long ==> rounded_before(s, a, inexact, a->rows); */
  /*@ assert near: !p.too_long ==> \forall rvec r; points_are{Pre}(s.mid, r, row(a->rows, a->cols)) ==>
        4.0 * rounding_sum(r, s.columns, s.transposed, a->model_integers, power_of_two(a->exponent), a->cols,
                           a->rows) <= prod(inexact, prod(power_of_two(a->exponent), power_of_two(a->exponent))); */
  //@ ghost Multiplied:;
  rounding_error(error, s.mid, a->rows * a->cols, inexact, a->exponent);
  /*@ assert bound: \forall rvec r, real d; points_are{Pre}(s.mid, r, row(a->rows, a->cols)) ==> 0.0 <= d ==>
        4.0 * d <= prod(inexact, prod(power_of_two(a->exponent), power_of_two(a->exponent))) ==>
        nan(error) || at_least(error, prod(2.0 * rroot(squares_from(0.0, r, row(a->rows, a->cols))) + rroot(d),
                                           rroot(d))); */
  /*@ assert matrices: a->model_integers == \at(a->model_integers, Multiplied) &&
        g->model_integers == \at(g->model_integers, Multiplied) && (p.too_long <==> \at(p.too_long, Multiplied)); */
  return !atomic_load(&p.too_long);
}
