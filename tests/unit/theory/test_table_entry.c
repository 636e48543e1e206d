/* One entry of the table: outward rounding, and radii printed so that reading them back gives the same number. */
#include "theory/table_entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* 1 - 2^-60 and 1 + 2^-60 have no 53 bits: the nearest number would be 1 for both. */
static void rounds_outward(void **state) {
  (void)state;
  theory_table table;
  interval value;
  theory_table_init(&table);
  interval_init(&value, 128);
  mpfr_set_d(value.lo, 0x1p-60, MPFR_RNDN);
  mpfr_ui_sub(value.lo, 1, value.lo, MPFR_RNDN);
  mpfr_set_d(value.hi, 0x1p-60, MPFR_RNDN);
  mpfr_add_ui(value.hi, value.hi, 1, MPFR_RNDN);
  for (int t = 0; t < THEORY_COUNT; t++) {
    theory_bound *const b = &table.bound[t];
    table_entry_set(b, &value);
    assert_true(b->available);
    assert_true(b->lower ? mpfr_less_p(b->value, value.lo) : mpfr_greater_p(b->value, value.hi));
    assert_int_equal(b->lower, t == THEORY_T3 || t == THEORY_T10);
  }
  interval_clear(&value);
  theory_table_clear(&table);
}

static void says_the_radius_in_full(void **state) {
  (void)state;
  const struct {
    double radius;
    const char *text;
  } known[] = {{15.5, "B_R^n, R = 15.5, any n"}, {0.1, "B_R^n, R = 0.1, any n"}, {1e300, "B_R^n, R = 1e+300, any n"}};
  theory_table table;
  theory_table_init(&table);
  theory_bound *const b = &table.bound[THEORY_T2];
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    table_entry_say_ball(b, known[i].radius, false, "any n");
    assert_string_equal(b->applies, known[i].text);
  }
  const double third = 1.0 / 3.0;
  table_entry_say_ball(b, third, true, "any n");
  assert_true(b->centred && b->radius == third);
  assert_true(strtod(strstr(b->applies, "R = ") + 4, NULL) == third);
  assert_non_null(strstr(b->applies, " of a centre, any n"));
  table_entry_refuse(b, "because");
  assert_false(b->available);
  assert_string_equal(b->applies, "because");
  theory_table_clear(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounds_outward),
      cmocka_unit_test(says_the_radius_in_full),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
