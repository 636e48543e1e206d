/* A row of a sweep's file against the sweep that goes on behind it: every column that cannot be its own is named. */
#include "report/sweep/sweep_resume.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const sweep_terms terms = {.offset = 7, .sequences = 3, .bounds = true};

/* The second sequence of length 5 from token 7 on: [1, 1.25]. */
static void set_row(sweep_row *row) {
  sweep_row_init(row);
  row->n = 5;
  row->sequence = 2;
  row->offset = 12;
  mpfr_set_d(row->lower, 1, MPFR_RNDN);
  mpfr_set_d(row->upper, 1.25, MPFR_RNDN);
  row->relative_width = 0.2;
  strcpy(row->engine, "dense");
  row->bounds.bound[THEORY_T1].available = row->bounds.bound[THEORY_T6].available = true;
}

static void expect(sweep_row *row, attcert_status status, const char *named) {
  attcert_error err = {.message = ""};
  assert_int_equal(sweep_resume_check(row, &terms, "sweep.csv", &err), status);
  if (strstr(err.message, named) == NULL) fail_msg("'%s' does not name %s", err.message, named);
  sweep_row_clear(row);
}

static void takes_its_own_rows(void **state) {
  (void)state;
  sweep_row row;
  set_row(&row);
  expect(&row, ATTCERT_OK, "");
  set_row(&row);
  row.relative_width = nextafter(0.2, 1.0); /* rounded upward */
  expect(&row, ATTCERT_OK, "");
  set_row(&row);
  mpfr_set_inf(row.upper, 1);
  row.relative_width = INFINITY;
  expect(&row, ATTCERT_OK, "");
}

static void names_the_column(void **state) {
  (void)state;
  sweep_row row;
  set_row(&row);
  row.sequence = 4;
  row.offset = 22;
  expect(&row, ATTCERT_INPUT, "sweep.csv: n = 5, sequence 4: sequence");
  set_row(&row);
  row.offset = 7;
  expect(&row, ATTCERT_INPUT, "offset");
  set_row(&row);
  row.relative_width = 0.2 + 1e-14;
  expect(&row, ATTCERT_INPUT, "relative_width");
  set_row(&row);
  mpfr_set_inf(row.upper, 1);
  expect(&row, ATTCERT_INPUT, "relative_width");
  set_row(&row);
  strcpy(row.engine, "auto");
  expect(&row, ATTCERT_INPUT, "engine");
  set_row(&row);
  row.bounds.bound[THEORY_T6].available = false; /* T1 alone */
  expect(&row, ATTCERT_INPUT, "T1 - T10");
  set_row(&row);
  row.seconds = INFINITY;
  expect(&row, ATTCERT_INPUT, "seconds");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(takes_its_own_rows), cmocka_unit_test(names_the_column)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
