/* The bound by deflation on matrices of integers, which doubles hold exactly: above the truth for any basis and
 * whatever the products are off by, close to it for a good basis. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_case.h"
#include "linalg/eigenvalue/deflation.h"
#include "random_source.h"
#include "spectral_oracle.h"

enum { TOKENS = 6, BLOCK = 5, SIDE = TOKENS * BLOCK, BITS = 400 };

/* G = A A^T, A of SIDE x rank integers, with its diagonal blocks and lambda_max(G) from Arb. */
typedef struct {
  double g[SIDE][SIDE];
  double diagonal[TOKENS][BLOCK][BLOCK];
  double truth; /* rounded down */
  gram_facts facts;
} gram_case;

static void set_truth(gram_case *c, double a[SIDE][SIDE], int rank) {
  arb_mat_t matrix;
  arf_t lower, upper;
  arf_init(lower);
  arf_init(upper);
  arb_mat_init(matrix, SIDE, rank);
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < rank; j++) arb_set_d(arb_mat_entry(matrix, i, j), a[i][j]);
  spectral_oracle(lower, upper, matrix, BITS);
  arf_mul(lower, lower, lower, 53, ARF_RND_DOWN);
  c->truth = arf_get_d(lower, ARF_RND_DOWN);
  arb_mat_clear(matrix);
  arf_clear(lower);
  arf_clear(upper);
}

static void gram_case_init(gram_case *c, int rank, uint64_t index) {
  double a[SIDE][SIDE], squares = 0;
  random_source r = random_source_make(61, (uint64_t)rank, index);
  random_fill_integers(&a[0][0], SIDE * SIDE, -9, 9, &r);
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      c->g[i][j] = 0;
      for (int l = 0; l < rank; l++) c->g[i][j] += a[i][l] * a[j][l];
      squares += c->g[i][j] * c->g[i][j];
      if (i / BLOCK == j / BLOCK) c->diagonal[i / BLOCK][i % BLOCK][j % BLOCK] = c->g[i][j];
    }
  set_truth(c, a, rank);
  c->facts = (gram_facts){.tokens = TOKENS,
                          .block = BLOCK,
                          .diagonal = &c->diagonal[0][0][0],
                          .frobenius = sqrt(squares) * (1 + 0x1p-50),
                          .product_error = SIDE * 0x1p-52 * sqrt(squares)};
}

/* y := G q, each row off by `error` of the row's length in a direction of chance. */
static void multiply(double *y, const gram_case *c, const double *q, int s, double error, random_source *r) {
  for (int b = 0; b < s; b++) {
    double noise[SIDE], length = 0, q_length = 0;
    random_fill_gaussian(noise, SIDE, 1, r);
    for (int i = 0; i < SIDE; i++) length += noise[i] * noise[i], q_length += q[b * SIDE + i] * q[b * SIDE + i];
    for (int i = 0; i < SIDE; i++) {
      y[b * SIDE + i] = error * noise[i] * sqrt(q_length / length);
      for (int j = 0; j < SIDE; j++) y[b * SIDE + i] += c->g[i][j] * q[b * SIDE + j];
    }
  }
}

/* Gram-Schmidt, twice. */
static void orthonormalize(double *q, int s) {
  for (int b = 0; b < s; b++)
    for (int pass = 0; pass < 2; pass++) {
      double square = 0;
      for (int other = 0; other < b; other++) {
        double product = 0;
        for (int i = 0; i < SIDE; i++) product += q[b * SIDE + i] * q[other * SIDE + i];
        for (int i = 0; i < SIDE; i++) q[b * SIDE + i] -= product * q[other * SIDE + i];
      }
      for (int i = 0; i < SIDE; i++) square += q[b * SIDE + i] * q[b * SIDE + i];
      for (int i = 0; i < SIDE; i++) q[b * SIDE + i] /= sqrt(square);
    }
}

/* s rows after `steps` steps of subspace iteration from a start of chance. */
static void basis(double *q, const gram_case *c, int s, int steps, random_source *r) {
  double y[SIDE * SIDE];
  random_fill_gaussian(q, (size_t)s * SIDE, 1, r);
  orthonormalize(q, s);
  for (int step = 0; step < steps; step++) {
    multiply(y, c, q, s, 0, r);
    memcpy(q, y, (size_t)s * SIDE * sizeof(double));
    orthonormalize(q, s);
  }
}

/* The bound as a double rounded up. */
static double bound_of(const gram_case *c, const double *q, double *y, int s) {
  mpfr_t upper;
  mpfr_init2(upper, 128);
  assert_int_equal(deflation_upper(upper, &c->facts, q, y, s, NULL), ATTCERT_OK);
  const double bound = mpfr_get_d(upper, MPFR_RNDU);
  mpfr_clear(upper);
  return bound;
}

static void test_any_basis(void **state) {
  (void)state;
  for (uint64_t index = 0; index < 40; index++) {
    const int rank = 1 + (int)(index * 7 % SIDE), s = 1 + (int)(index * 11 % SIDE), steps = (int)index % 5;
    double q[SIDE * SIDE], y[SIDE * SIDE];
    gram_case c;
    random_source r = random_source_make(62, 0, index);
    gram_case_init(&c, rank, index);
    basis(q, &c, s, steps, &r);
    multiply(y, &c, q, s, 0, &r);
    const double bound = bound_of(&c, q, y, s);
    if (!(bound >= c.truth)) fail_msg("case %d: %.17g < %.17g", (int)index, bound, c.truth);
    if (!(bound <= 3 * c.facts.frobenius)) fail_msg("case %d: %g is no use", (int)index, bound);
  }
}

/* What is not a number bounds nothing, wherever it stands. */
static void test_no_number(void **state) {
  (void)state;
  enum { S = 5 };
  double q[SIDE * SIDE], y[SIDE * SIDE], diagonal[SIDE * SIDE];
  gram_case c;
  random_source r = random_source_make(64, 0, 0);
  gram_case_init(&c, SIDE, 0);
  basis(q, &c, S, 3, &r);
  const size_t count = (size_t)c.facts.tokens * (size_t)c.facts.block * (size_t)c.facts.block;
  memcpy(diagonal, c.facts.diagonal, count * sizeof *diagonal);
  const gram_facts facts = c.facts;
  c.facts.diagonal = diagonal;
  double *const numbers[] = {&diagonal[0],       &diagonal[count - 1], &q[S * SIDE / 2],      &y[S * SIDE / 2],
                             &c.facts.frobenius, &c.facts.gram_error,  &c.facts.product_error};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    multiply(y, &c, q, S, 0, &r);
    const double number = *numbers[i];
    *numbers[i] = NAN;
    const double bound = bound_of(&c, q, y, S);
    if (!isinf(bound)) fail_msg("number %zu: %g", i, bound);
    if (numbers[i] != &y[S * SIDE / 2]) *numbers[i] = number;
  }
  c.facts = facts;
}

/* The worst for a bound that forgets a term: a basis that misses the top, exactly or by a little. */
static void test_basis_that_misses_the_top(void **state) {
  (void)state;
  for (uint64_t index = 0; index < 40; index++) {
    double q[SIDE * SIDE], top[SIDE], y[SIDE * SIDE];
    const int s = 1 + (int)index % 12;
    gram_case c;
    random_source r = random_source_make(63, 0, index);
    gram_case_init(&c, SIDE, index);
    basis(top, &c, 1, 60, &r);
    basis(q, &c, s, 8, &r);
    const double kept = index % 2 ? 0 : ldexp(1, -(int)(index % 20));
    for (int b = 0; b < s; b++) {
      double product = 0;
      for (int i = 0; i < SIDE; i++) product += q[b * SIDE + i] * top[i];
      for (int i = 0; i < SIDE; i++) q[b * SIDE + i] -= (1 - kept) * product * top[i];
    }
    orthonormalize(q, s);
    multiply(y, &c, q, s, 0, &r);
    assert_true(bound_of(&c, q, y, s) >= c.truth);
  }
}

/* A basis of the whole range leaves nothing to bound: the truth to nine digits. */
static void test_tight(void **state) {
  (void)state;
  for (uint64_t index = 0; index < 12; index++) {
    const int rank = 1 + (int)index, s = rank + (int)index % 3;
    double q[SIDE * SIDE], y[SIDE * SIDE];
    gram_case c;
    random_source r = random_source_make(64, 0, index);
    gram_case_init(&c, rank, index);
    basis(q, &c, s, 3, &r);
    multiply(y, &c, q, s, 0, &r);
    const double bound = bound_of(&c, q, y, s);
    assert_true(bound >= c.truth);
    if (!(bound <= c.truth * (1 + 1e-9))) fail_msg("rank %d: %.17g for %.17g", rank, bound, c.truth);
  }
}

/* Half of the vectors that decide, and the rest of the spectrum is far below: a good bound without knowing it all. */
static void test_few_vectors_are_enough(void **state) {
  (void)state;
  double q[SIDE * SIDE], y[SIDE * SIDE];
  gram_case c;
  random_source r = random_source_make(65, 0, 0);
  gram_case_init(&c, SIDE, 7);
  basis(q, &c, SIDE / 2, 40, &r);
  multiply(y, &c, q, SIDE / 2, 0, &r);
  const double bound = bound_of(&c, q, y, SIDE / 2);
  assert_true(bound >= c.truth && bound <= 1.01 * c.truth);
}

/* Products that are off by as much as is said, over the whole range of error. */
static void test_products_with_errors(void **state) {
  (void)state;
  for (uint64_t index = 0; index < 60; index++) {
    double q[SIDE * SIDE], y[SIDE * SIDE];
    const int rank = 1 + (int)index % 8, s = 1 + (int)index % 9;
    gram_case c;
    random_source r = random_source_make(66, 0, index);
    gram_case_init(&c, rank, index);
    basis(q, &c, s, 12, &r);
    const double error = c.truth * ldexp(1, -2 - (int)(index % 30));
    c.facts.product_error += error;
    multiply(y, &c, q, s, error * (1 - 0x1p-40), &r);
    assert_true(bound_of(&c, q, y, s) >= c.truth);
  }
}

/* The exact eigenvector with products that shrink it: only product_error can make up for it. */
static void test_products_that_shrink(void **state) {
  (void)state;
  double q[SIDE], y[SIDE];
  gram_case c;
  random_source r = random_source_make(67, 0, 0);
  gram_case_init(&c, 1, 3);
  basis(q, &c, 1, 3, &r);
  multiply(y, &c, q, 1, 0, &r);
  const double error = 0x1p-6 * c.truth;
  for (int i = 0; i < SIDE; i++) y[i] *= 1 - 0x1p-6;
  c.facts.product_error += error * (1 + 0x1p-40);
  assert_true(bound_of(&c, q, y, 1) >= c.truth);
}

/* A Gram matrix that is off by gram_error in its diagonal blocks. */
static void test_gram_with_errors(void **state) {
  (void)state;
  for (uint64_t index = 0; index < 20; index++) {
    double q[SIDE * SIDE], y[SIDE * SIDE];
    gram_case c;
    random_source r = random_source_make(68, 0, index);
    gram_case_init(&c, SIDE, index);
    basis(q, &c, 1, 0, &r);
    const double error = c.truth * ldexp(1, -1 - (int)index);
    for (int t = 0; t < TOKENS; t++)
      for (int i = 0; i < BLOCK; i++) c.diagonal[t][i][i] -= error;
    c.facts.frobenius *= 1 - error / c.facts.frobenius;
    c.facts.gram_error = error * (1 + 0x1p-40);
    multiply(y, &c, q, 1, 0, &r);
    assert_true(bound_of(&c, q, y, 1) >= c.truth);
  }
}

/* Rows of another length or not orthogonal: valid up to a point, then no claim. */
static void test_basis_that_is_not_orthonormal(void **state) {
  (void)state;
  for (int exponent = -40; exponent <= 2; exponent++) {
    double q[4 * SIDE], y[4 * SIDE];
    gram_case c;
    random_source r = random_source_make(69, 0, (uint64_t)(exponent + 40));
    gram_case_init(&c, 3, (uint64_t)(exponent + 40));
    basis(q, &c, 4, 3, &r);
    for (int i = 0; i < SIDE; i++) q[i] *= 1 + ldexp(exponent % 2 ? -0.5 : 0.5, exponent);
    for (int i = 0; i < SIDE; i++) q[SIDE + i] += ldexp(q[2 * SIDE + i], exponent - 1);
    multiply(y, &c, q, 4, 0, &r);
    const double bound = bound_of(&c, q, y, 4);
    assert_true(bound >= c.truth);
    assert_true(exponent > -20 || bound <= c.truth * (1 + 1e-3));
    assert_true(exponent < 1 || isinf(bound));
  }
}

/* Powers of two times G: squares and products of its entries underflow. The bound holds, and is sharp near norm 1. */
static void test_small_magnitudes(void **state) {
  (void)state;
  for (int exponent = -1000; exponent <= 0; exponent += 5) {
    double q[SIDE * SIDE], y[SIDE * SIDE];
    const int s = 1 + (exponent + 1000) / 5 % SIDE, rank = 1 + (exponent + 1000) / 15 % SIDE;
    gram_case c;
    random_source r = random_source_make(70, 0, (uint64_t)(exponent + 1000));
    gram_case_init(&c, rank, (uint64_t)(exponent + 1000));
    basis(q, &c, s, 2, &r);
    multiply(y, &c, q, s, 0, &r);
    for (int i = 0; i < s * SIDE; i++) y[i] = ldexp(y[i], exponent);
    for (int i = 0; i < TOKENS * BLOCK * BLOCK; i++)
      (&c.diagonal[0][0][0])[i] = ldexp((&c.diagonal[0][0][0])[i], exponent);
    c.facts.frobenius = ldexp(c.facts.frobenius, exponent);
    c.facts.product_error = ldexp(c.facts.product_error, exponent);
    const double truth = ldexp(c.truth, exponent), bound = bound_of(&c, q, y, s);
    if (!(bound >= truth)) fail_msg("2^%d: %.17g < %.17g", exponent, bound, truth);
    if (exponent >= -250 && !(bound <= 3 * c.facts.frobenius)) fail_msg("2^%d: %g is no use", exponent, bound);
  }
}

static void test_zero(void **state) {
  (void)state;
  double q[SIDE] = {1}, y[SIDE] = {0};
  gram_case c = {.facts = {.tokens = TOKENS, .block = BLOCK, .diagonal = &c.diagonal[0][0][0]}};
  const double bound = bound_of(&c, q, y, 1);
  assert_true(bound >= 0 && bound < 1e-6); /* allowances for underflow, meant for matrices of norm 1 or so */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_basis),
      cmocka_unit_test(test_no_number),
      cmocka_unit_test(test_basis_that_misses_the_top),
      cmocka_unit_test(test_tight),
      cmocka_unit_test(test_few_vectors_are_enough),
      cmocka_unit_test(test_products_with_errors),
      cmocka_unit_test(test_products_that_shrink),
      cmocka_unit_test(test_gram_with_errors),
      cmocka_unit_test(test_basis_that_is_not_orthonormal),
      cmocka_unit_test(test_small_magnitudes),
      cmocka_unit_test(test_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
