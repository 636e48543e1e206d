/* A row against the theory: consistent rows pass, every kind of contradiction is named. */
#include "report/sweep/sweep_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* 1 <= lower = estimate <= upper = 1.25; all bounds equal to the lower end. */
static void set_consistent(sweep_row *row) {
  row->n = 34;
  row->sequence = 3;
  mpfr_set_d(row->lower, 1, MPFR_RNDN);
  mpfr_set_d(row->upper, 1.25, MPFR_RNDN);
  row->estimate = 1;
  for (int i = 0; i < THEORY_COUNT; i++) {
    row->bounds.bound[i].available = true;
    mpfr_set_d(row->bounds.bound[i].value, 1, MPFR_RNDN); /* attained: no contradiction */
  }
}

static void expect(const sweep_row *row, attcert_status status, const char *named) {
  attcert_error err = {.message = ""};
  assert_int_equal(sweep_check(row, &err), status);
  if (strstr(err.message, named) == NULL) fail_msg("'%s' does not name %s", err.message, named);
}

static void test_bounds(void **state) {
  (void)state;
  sweep_row row;
  sweep_row_init(&row);
  set_consistent(&row);
  expect(&row, ATTCERT_OK, "");
  for (int i = 0; i < THEORY_COUNT; i++) {
    theory_bound *const bound = &row.bounds.bound[i];
    mpfr_nextbelow(bound->value); /* one unit in the last place below the lower end */
    if (bound->lower) {
      expect(&row, ATTCERT_OK, "");
    } else {
      expect(&row, ATTCERT_NEGATIVE, bound->id);
      expect(&row, ATTCERT_NEGATIVE, "n = 34, sequence 3");
    }
    bound->available = false;
    expect(&row, ATTCERT_OK, "");
  }
  sweep_row_clear(&row);
}

static void test_enclosure(void **state) {
  (void)state;
  sweep_row row;
  sweep_row_init(&row);
  set_consistent(&row);
  mpfr_set_d(row.upper, 0.5, MPFR_RNDN);
  expect(&row, ATTCERT_FAULT, "lower end");
  mpfr_set_d(row.upper, 1, MPFR_RNDN); /* lower = upper */
  expect(&row, ATTCERT_OK, "");
  sweep_row_clear(&row);
}

static void test_estimate(void **state) {
  (void)state;
  sweep_row row;
  sweep_row_init(&row);
  set_consistent(&row);
  row.estimate = 1.25 * (1 + 0.9e-9);
  expect(&row, ATTCERT_OK, "");
  row.estimate = 1.25 * (1 + 1.1e-9);
  expect(&row, ATTCERT_NEGATIVE, "estimate");
  row.estimate = 0; /* a power iteration may be as low as it likes */
  expect(&row, ATTCERT_OK, "");
  /* beyond the range of double the estimate is no number to compare */
  mpfr_set_ui_2exp(row.lower, 1, -1080, MPFR_RNDN);
  mpfr_set_ui_2exp(row.upper, 1, -1080, MPFR_RNDN);
  row.estimate = 0x1p-1074;
  expect(&row, ATTCERT_OK, "");
  row.estimate = 1e-300;
  expect(&row, ATTCERT_NEGATIVE, "estimate");
  sweep_row_clear(&row);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_enclosure),
      cmocka_unit_test(test_estimate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
