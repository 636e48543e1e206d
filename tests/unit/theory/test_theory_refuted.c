/* What a certified value refutes, and the smallest bound on the ball, on tables made up for it. */
#include "theory/theory_refuted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Upper bounds of 10 on a ball of radius 1 for T1 .. T9, lower bounds of 20; T6 and T7 are for one input. */
static void table_init(theory_table *table) {
  theory_table_init(table);
  for (int i = 0; i < THEORY_COUNT; i++) {
    theory_bound *const bound = &table->bound[i];
    bound->available = true;
    bound->radius = i == THEORY_T6 || i == THEORY_T7 ? 0.0 : 1.0;
    mpfr_set_si(bound->value, bound->lower ? 20 : 10, MPFR_RNDN);
  }
}

static const theory_bound *refuted(const theory_table *table, double lower) {
  mpfr_t x;
  mpfr_init2(x, 53);
  mpfr_set_d(x, lower, MPFR_RNDN);
  const theory_bound *const bound = theory_refuted(table, x);
  mpfr_clear(x);
  return bound;
}

/* A value may be any bound itself, and below the lower bounds, which are for a ball; each upper bound counts by
 * itself. */
static void refutes_upper_bounds_alone(void **state) {
  (void)state;
  theory_table table;
  table_init(&table);
  assert_null(refuted(&table, 10.0));
  assert_ptr_equal(refuted(&table, 10.0 + 0x1p-40), &table.bound[THEORY_T1]);
  for (int i = 0; i < THEORY_COUNT; i++) {
    theory_bound *const bound = &table.bound[i];
    mpfr_set_si(bound->value, 5, MPFR_RNDN);
    assert_ptr_equal(refuted(&table, 7.0), bound->lower ? NULL : bound);
    bound->available = false;
    assert_null(refuted(&table, 7.0));
    bound->available = true;
    mpfr_set_inf(bound->value, 1);
    assert_null(refuted(&table, 7.0));
    mpfr_set_si(bound->value, bound->lower ? 20 : 10, MPFR_RNDN);
  }
  theory_table_clear(&table);
}

static void smallest_on_the_ball(void **state) {
  (void)state;
  theory_table table;
  table_init(&table);
  assert_ptr_equal(theory_smallest_on_ball(&table), &table.bound[THEORY_T1]);
  mpfr_set_si(table.bound[THEORY_T4].value, 8, MPFR_RNDN);
  mpfr_set_si(table.bound[THEORY_T9].value, 7, MPFR_RNDN);
  mpfr_set_si(table.bound[THEORY_T6].value, 1, MPFR_RNDN); /* of one input */
  mpfr_set_si(table.bound[THEORY_T3].value, 1, MPFR_RNDN); /* no upper bound */
  assert_ptr_equal(theory_smallest_on_ball(&table), &table.bound[THEORY_T9]);
  table.bound[THEORY_T9].centred = true; /* on another ball */
  assert_ptr_equal(theory_smallest_on_ball(&table), &table.bound[THEORY_T4]);
  for (int i = 0; i < THEORY_COUNT; i++) table.bound[i].available = i == THEORY_T6;
  assert_null(theory_smallest_on_ball(&table));
  theory_table_clear(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refutes_upper_bounds_alone),
      cmocka_unit_test(smallest_on_the_ball),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
