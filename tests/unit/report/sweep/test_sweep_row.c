/* Rows of a sweep: what is written can be read, is rounded outward, and nothing else is taken for a row. */
#include "report/sweep/sweep_row.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The row as a line without its newline; the caller frees it. */
static char *line_of(const sweep_row *row) {
  char *line = NULL;
  size_t size = 0;
  FILE *const out = open_memstream(&line, &size);
  assert_non_null(out);
  sweep_row_write(out, row);
  assert_int_equal(fclose(out), 0);
  assert_int_equal(line[size - 1], '\n');
  line[size - 1] = '\0';
  return line;
}

static void set_example(sweep_row *row) {
  row->n = 34;
  row->sequence = 3;
  row->offset = 68;
  row->radius = 11.25;
  mpfr_set_d(row->lower, 0.1, MPFR_RNDN);
  mpfr_set_d(row->upper, 0.3, MPFR_RNDN);
  row->relative_width = 2.0 / 3;
  row->estimate = 0.2;
  strcpy(row->engine, "dense");
  row->seconds = 1.5;
  for (int i = 0; i < THEORY_COUNT; i++) {
    row->bounds.bound[i].available = i != THEORY_T5;
    mpfr_set_d(row->bounds.bound[i].value, 0.7 + i, MPFR_RNDN);
  }
  mpfr_set_str(row->bounds.bound[THEORY_T2].value, "1e+400", 10, MPFR_RNDU);
  mpfr_set_inf(row->bounds.bound[THEORY_T4].value, 1);
}

static void test_round_trip(void **state) {
  (void)state;
  sweep_row row, back;
  sweep_row_init(&row);
  sweep_row_init(&back);
  set_example(&row);
  char *const line = line_of(&row);
  assert_int_equal(sweep_row_read(&back, line, "file: line 3", NULL), ATTCERT_OK);
  assert_int_equal(back.n, 34);
  assert_int_equal(back.sequence, 3);
  assert_int_equal(back.offset, 68);
  assert_true(back.radius == row.radius && back.estimate == row.estimate && back.seconds == 1.5);
  assert_true(back.relative_width >= row.relative_width && back.relative_width < row.relative_width * (1 + 1e-15));
  assert_string_equal(back.engine, "dense");
  /* outward, by the rounding to 17 digits alone */
  assert_true(mpfr_lessequal_p(back.lower, row.lower) && mpfr_cmp_d(back.lower, 0.1 * (1 - 1e-15)) > 0);
  assert_true(mpfr_greaterequal_p(back.upper, row.upper) && mpfr_cmp_d(back.upper, 0.3 * (1 + 1e-15)) < 0);
  for (int i = 0; i < THEORY_COUNT; i++) {
    const theory_bound *const written = &row.bounds.bound[i], *const read = &back.bounds.bound[i];
    assert_int_equal(read->available, i != THEORY_T5);
    if (!read->available) continue;
    assert_true(read->lower ? mpfr_lessequal_p(read->value, written->value)
                            : mpfr_greaterequal_p(read->value, written->value));
  }
  assert_true(mpfr_inf_p(back.bounds.bound[THEORY_T4].value));
  assert_true(mpfr_cmp_si_2exp(back.bounds.bound[THEORY_T2].value, 1, 1320) > 0); /* 1e+400 is about 2^1329 */
  free(line);
  sweep_row_clear(&back);
  sweep_row_clear(&row);
}

/* The decimals themselves: the double 0.1 is 0.1000000000000000055..., the double 0.3 is 0.2999999999999999888... */
static void test_decimals(void **state) {
  (void)state;
  sweep_row row;
  sweep_row_init(&row);
  set_example(&row);
  char *const line = line_of(&row);
  assert_non_null(strstr(line, ",1.0000000000000000e-01,2.9999999999999999e-01,"));
  free(line);
  sweep_row_clear(&row);
}

static void test_names(void **state) {
  (void)state;
  char *names = NULL;
  size_t size = 0;
  FILE *const out = open_memstream(&names, &size);
  sweep_row_write_names(out);
  fclose(out);
  assert_non_null(
      strstr(names, "n,sequence,offset,radius,lower,upper,relative_width,estimate,engine,T1,T2,T3,T4,T5,T6,T7"));
  assert_string_equal(names + size - strlen(",seconds\n"), ",seconds\n");
  sweep_row row;
  sweep_row_init(&row);
  set_example(&row);
  char *const line = line_of(&row);
  int columns = 0, fields = 0;
  for (const char *c = names; *c != '\0'; c++) columns += *c == ',';
  for (const char *c = line; *c != '\0'; c++) fields += *c == ',';
  assert_int_equal(columns, fields);
  free(line);
  free(names);
  sweep_row_clear(&row);
}

/* A good line with field number `field` replaced is refused, by the column's name. */
static void refuses(const char *line, int field, const char *replacement, const char *column) {
  char changed[2048];
  size_t used = 0;
  const char *rest = line;
  for (int i = 0; i < field; i++) rest = strchr(rest, ',') + 1;
  used = (size_t)(rest - line);
  rest += strcspn(rest, ",");
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)used, line, replacement, rest);
  sweep_row row;
  attcert_error err;
  sweep_row_init(&row);
  if (sweep_row_read(&row, changed, "a.csv: line 7", &err) != ATTCERT_INPUT) fail_msg("was read: %s", changed);
  assert_non_null(strstr(err.message, "a.csv: line 7: "));
  if (strstr(err.message, column) == NULL) fail_msg("'%s' does not name %s", err.message, column);
  sweep_row_clear(&row);
}

static void test_refused(void **state) {
  (void)state;
  sweep_row row;
  sweep_row_init(&row);
  set_example(&row);
  char *const line = line_of(&row);
  const int seconds = 9 + THEORY_COUNT;
  refuses(line, 0, "", "n is ''");
  refuses(line, 0, "0", "n is '0'");
  refuses(line, 0, "2.5", "n is '2.5'");
  refuses(line, 0, "99999999999999999999", "n is");
  refuses(line, 1, "0", "sequence");
  refuses(line, 2, "-1", "offset");
  refuses(line, 3, "", "radius");
  refuses(line, 4, "nan", "lower");
  refuses(line, 4, "-1", "lower");
  refuses(line, 4, " 1", "lower");
  refuses(line, 5, "1x", "upper");
  refuses(line, 8, "", "engine");
  refuses(line, 8, "an engine with a long name", "engine");
  refuses(line, 9, "x", "T1");
  refuses(line, seconds, "", "seconds");
  refuses(line, seconds, "1,2", "what follows seconds");
  refuses("", 0, "", "n");
  refuses(line, 0, "34,3,68,1,1,1,1,1,dense", "T"); /* fields shifted */
  *strrchr(line, ',') = '\0';
  refuses(line, 0, "34", "seconds"); /* one field too few */
  free(line);
  sweep_row_clear(&row);
}

static void test_radius(void **state) {
  (void)state;
  double small[] = {3, 4, 0, 0, 0, 5}, large[] = {3e200, 4e200, 0, 0, 0, 5e200},
         tiny[] = {3e-200, 4e-200, 0, 0, 0, 5e-200};
  const double expected = 5 * sqrt(2.0 / 3); /* two of three tokens have norm 5 */
  assert_true(fabs(sweep_row_radius(&(attcert_matrix){3, 2, small}) / expected - 1) < 1e-14);
  assert_true(fabs(sweep_row_radius(&(attcert_matrix){3, 2, large}) / expected / 1e200 - 1) < 1e-14);
  assert_true(fabs(sweep_row_radius(&(attcert_matrix){3, 2, tiny}) / expected / 1e-200 - 1) < 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip), cmocka_unit_test(test_decimals), cmocka_unit_test(test_names),
      cmocka_unit_test(test_refused),    cmocka_unit_test(test_radius),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
