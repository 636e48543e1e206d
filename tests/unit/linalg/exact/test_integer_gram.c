/* The Gram matrix of rows of integers, block by block, against GMP's sums of products. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "linalg/exact/integer_gram.h"
#include "random_mpz.h"

enum { ROWS = 7, COLS = 5, DIGITS = 3, ENTRIES = ROWS * (ROWS + 1) / 2 };

static void fill(fixed_matrix *a, uint64_t seed) {
  random_source r = random_source_make(71, seed, 0);
  mpz_t x;
  mpz_init(x);
  for (size_t i = 0; i < ROWS; i++)
    for (size_t k = 0; k < COLS; k++) {
      random_mpz(x, FIXED_DIGIT_BITS * DIGITS - 2, &r);
      fixed_matrix_set(a, i, k, x);
    }
  mpz_clear(x);
}

static void expect_product(const fixed_matrix *g, const fixed_matrix *a, size_t i, size_t j) {
  mpz_t x, y, sum;
  mpz_inits(x, y, sum, NULL);
  for (size_t k = 0; k < COLS; k++) {
    fixed_matrix_get(x, a, i, k);
    fixed_matrix_get(y, a, j, k);
    mpz_addmul(sum, x, y);
  }
  fixed_matrix_get(x, g, i * (i + 1) / 2 + j, 0);
  assert_int_equal(mpz_cmp(x, sum), 0);
  mpz_clears(x, y, sum, NULL);
}

static void expect_marks(const fixed_matrix *g, size_t i) {
  mpz_t x;
  mpz_init(x);
  for (size_t j = 0; j <= i; j++) {
    fixed_matrix_get(x, g, i * (i + 1) / 2 + j, 0);
    assert_int_equal(mpz_get_si(x), -7);
  }
  mpz_clear(x);
}

/* Every block of rows: its own entries are products, all others keep their mark. */
static void test_blocks(void **state) {
  (void)state;
  fixed_matrix a, g;
  mpz_t sum;
  mpz_init(sum);
  assert_true(fixed_matrix_init(&a, ROWS, COLS, DIGITS, 0));
  assert_true(fixed_matrix_init(&g, ENTRIES, 1, 2 * DIGITS, 0));
  for (size_t first = 0; first <= ROWS; first++)
    for (size_t end = first; end <= ROWS; end++) {
      fill(&a, first * 16 + end);
      mpz_set_si(sum, -7);
      for (size_t i = 0; i < ENTRIES; i++) fixed_matrix_set(&g, i, 0, sum);
      assert_true(integer_gram_rows(&g, &a, first, end, sum));
      for (size_t i = 0; i < ROWS; i++) {
        if (i < first || end <= i) expect_marks(&g, i);
        for (size_t j = 0; j <= i && first <= i && i < end; j++) expect_product(&g, &a, i, j);
      }
    }
  fixed_matrix_clear(&a);
  fixed_matrix_clear(&g);
  mpz_clear(sum);
}

/* Sums of largest products, where half of the digits are missing. */
static void test_too_long(void **state) {
  (void)state;
  fixed_matrix a, g;
  mpz_t x;
  mpz_init(x);
  assert_true(fixed_matrix_init(&a, ROWS, COLS, 1, 0));
  assert_true(fixed_matrix_init(&g, ENTRIES, 1, 1, 0));
  assert_true(integer_gram_rows(&g, &a, 0, ROWS, x));
  mpz_set_ui(x, UINT64_C(1) << (FIXED_DIGIT_BITS - 1));
  fixed_matrix_set(&a, ROWS - 1, COLS - 1, x);
  assert_true(integer_gram_rows(&g, &a, 0, ROWS - 1, x));
  assert_false(integer_gram_rows(&g, &a, 0, ROWS, x));
  fixed_matrix_clear(&a);
  fixed_matrix_clear(&g);
  mpz_clear(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks), cmocka_unit_test(test_too_long)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
