/* LayerNorm executed in float32 in each of the ways of finding its moments, where one term of its bound is large: see
 * test_execution_terms.c. */
#include "executed_step.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ENTRIES = 64 };

/* Entries at the mean of a row far from 0: normalised they are 0, so that no relative error counts, but what the mean
 * and the difference are off, over s. */
static void a_mean_far_away_moves_every_entry(void **state) {
  (void)state;
  enum { DIM = 8 };
  double used = 0.0;
  layernorm_weights norm;
  const step s = layernorm_step(&norm, DIM, 0x1p-30);
  for (int k = 0; k < 64; k++) {
    const double middle = (double)(float)(20.0 + k / 7.0);
    const double x[DIM] = {middle + 1.0, middle - 1.0, middle, middle, middle, middle, middle, middle};
    used = fmax(used, executed_step_used("float32", &s, x, DIM, 2, DIM - 1));
  }
  print_message("mean: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.02);
}

/* 64 equal numbers, but for two: half of the partial sums lose nearly half of their last unit, so that the mean is off
 * by 16 units of an entry, which is rounded four times. */
static void a_mean_that_is_rounded_down(void **state) {
  (void)state;
  double x[ENTRIES];
  for (int a = 0; a < ENTRIES; a++) {
    x[a] = 1.0 + 15.0 * 0x1p-23 + (a == 0 ? 0.125 : a == 1 ? -0.125 : 0.0);
  }
  layernorm_weights norm;
  const step s = layernorm_step(&norm, ENTRIES, 0x1p-30);
  const double used = executed_step_used("float32", &s, x, ENTRIES, 2, ENTRIES - 1);
  print_message("mean's sum: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.1);
}

/* A row that is nearly constant beside its mean: what the mean of squares and the square of the mean are off is many
 * times the variance's own rounding. */
static void squares_that_cancel_move_the_scale(void **state) {
  (void)state;
  double used = 0.0;
  layernorm_weights norm;
  const step s = layernorm_step(&norm, 2, 0x1p-60);
  for (int k = 0; k < 64; k++) {
    const double middle = 16.0 + k / 7.0, x[] = {middle + 0.25, middle - 0.25};
    used = fmax(used, executed_step_used("float32", &s, x, 2, 0, 1));
  }
  print_message("squares that cancel: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.1);
}

/* x_k = 1 + k 2^-24 from k = 1 on: each update of the mean 1, by (x_k - 1) / (k + 1), is less than half of its last
 * unit, and lost. Two entries far away, behind, make s large beside that. */
static void lost_updates_move_the_mean(void **state) {
  (void)state;
  double x[EXECUTED_STEP_MOST];
  for (int a = 0; a < EXECUTED_STEP_MOST; a++) x[a] = 1.0 + 0.99 * a * 0x1p-24;
  x[EXECUTED_STEP_MOST - 2] = 3.0;
  x[EXECUTED_STEP_MOST - 1] = -1.0;
  layernorm_weights norm;
  const step s = layernorm_step(&norm, EXECUTED_STEP_MOST, 0x1p-60);
  const double used = executed_step_used("float32", &s, x, EXECUTED_STEP_MOST, 0, EXECUTED_STEP_MOST - 3);
  print_message("lost updates: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.2);
}

/* The same for the first half of a row whose mean is 0 in the end, and entries that are 0: no error is relative to the
 * mean, or to such an entry. */
static void lost_updates_move_the_mean_of_a_centered_row(void **state) {
  (void)state;
  enum { HALF = EXECUTED_STEP_MOST / 2, REST = 4 };
  double x[EXECUTED_STEP_MOST];
  for (int a = 0; a < HALF; a++) {
    x[a] = 1.0 + 0.99 * a * 0x1p-24;
    x[HALF + a] = a < HALF - REST ? -1.0 : 0.0;
  }
  layernorm_weights norm;
  const step s = layernorm_step(&norm, EXECUTED_STEP_MOST, 0x1p-60);
  const double used =
      executed_step_used("float32", &s, x, EXECUTED_STEP_MOST, EXECUTED_STEP_MOST - REST, EXECUTED_STEP_MOST - 1);
  print_message("lost updates of a centered row: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.05);
}

/* Two squares of 1, then 62 that are nearly half of the last unit of 2: their sum loses each; the mean is exactly 0. */
static void squares_that_are_lost_move_the_scale(void **state) {
  (void)state;
  double x[ENTRIES];
  for (int a = 0; a < ENTRIES; a++) {
    x[a] = (a % 2 == 0 ? 1.0 : -1.0) * (a < 2 ? 1.0 : 1.4 * 0x1p-12);
  }
  layernorm_weights norm;
  const step s = layernorm_step(&norm, ENTRIES, 0x1p-30);
  const double used = executed_step_used("float32", &s, x, ENTRIES, 0, 1);
  print_message("squares: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mean_far_away_moves_every_entry),
      cmocka_unit_test(a_mean_that_is_rounded_down),
      cmocka_unit_test(squares_that_cancel_move_the_scale),
      cmocka_unit_test(lost_updates_move_the_mean),
      cmocka_unit_test(lost_updates_move_the_mean_of_a_centered_row),
      cmocka_unit_test(squares_that_are_lost_move_the_scale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
