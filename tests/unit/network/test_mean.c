/* The mean of rows, and two values side by side: forms at members of theirs, whose rows share some symbols; of the mean
 * also where all its bound is used. */
#include "form_member.h"
#include "network/join/step_join.h"
#include "network/mean/step_mean.h"
#include "network_oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROWS = 3, COLS = 3, COUNT = ROWS * COLS, CASES = 300, POINTS = 20, BITS = 1200 };

static void mean_of(arb_mat_t y, const double *x, int first) {
  arb_t t;
  arb_init(t);
  arb_mat_zero(y);
  for (int k = first * COLS; k < COUNT; k++) {
    arb_set_d(t, x[k]);
    arb_add(arb_mat_entry(y, 0, k % COLS), arb_mat_entry(y, 0, k % COLS), t, BITS);
  }
  for (int c = 0; c < COLS; c++) arb_div_si(arb_mat_entry(y, 0, c), arb_mat_entry(y, 0, c), ROWS - first, BITS);
  arb_clear(t);
}

/* The largest part of a bound that is used where x is of such a size, and misses so much of it. */
static double check_mean(int first, double size, double miss, uint64_t stream) {
  const step mean = {.kind = &step_mean, .of = &first, .layer = -1, .inputs = 1, .rows = 1, .cols = COLS};
  double used = 0.0;
  arb_mat_t exact;
  arb_mat_init(exact, 1, COLS);
  for (uint64_t k = 0; k < CASES; k++) {
    random_source r = random_source_make(19, stream, k);
    form_member m;
    form x, out;
    form_member_init(&m, 1.0, 1.0);
    form_member_form(&x, &m, ROWS, COLS, size, miss * size, &r);
    const form *const in[] = {&x};
    assert_int_equal(step_mean.forms(&out, &mean, in, &m.symbols, 0, NULL), ATTCERT_OK);
    assert_int_equal(form_measure(&out, &m.symbols, NULL), ATTCERT_OK);
    for (int p = 0; p < POINTS; p++) {
      double at[COUNT];
      form_member_draw(&m, &r);
      form_member_point(at, &m, &x, &r);
      mean_of(exact, at, first);
      used = fmax(used, form_member_used(&m, &out, exact, "mean"));
    }
    form_clear(&x);
    form_clear(&out);
    form_member_clear(&m);
  }
  arb_mat_clear(exact);
  return used;
}

static void forms_contain_every_mean(void **state) {
  (void)state;
  static const struct {
    double size, miss, least;
  } cases[] = {{1.0, 0.0, 0.0},     {1.0, 0x1p-12, 0.9}, {1.0, 1.0, 0.9},
               {0x1p200, 1.0, 0.9}, {0x1p200, 0.0, 0.0}, {0x1p-300, 1.0, 0.9}};
  for (int first = 0; first < ROWS; first++) {
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
      const double used = check_mean(first, cases[k].size, cases[k].miss, 10 * (uint64_t)first + k);
      print_message("from row %d, case %zu: largest part of a bound used %.3f\n", first, k, used);
      assert_true(used >= cases[k].least);
    }
  }
}

static void forms_contain_both_values(void **state) {
  (void)state;
  enum { OTHER = 2, ALL = COLS + OTHER };
  const step join = {.kind = &step_join, .layer = -1, .inputs = 2, .rows = ROWS, .cols = ALL};
  double used = 0.0;
  arb_mat_t exact;
  arb_mat_init(exact, ROWS, ALL);
  for (uint64_t k = 0; k < CASES; k++) {
    random_source r = random_source_make(20, 0, k);
    form_member m;
    form x, y, out;
    form_member_init(&m, 1.0, 1.0);
    form_member_form(&x, &m, ROWS, COLS, 1.0, 0x1p-12, &r);
    form_member_form(&y, &m, ROWS, OTHER, 0x1p10, 0x1p-2, &r);
    const form *const in[] = {&x, &y};
    assert_int_equal(step_join.forms(&out, &join, in, &m.symbols, 0, NULL), ATTCERT_OK);
    assert_int_equal(form_measure(&out, &m.symbols, NULL), ATTCERT_OK);
    for (int p = 0; p < POINTS; p++) {
      double at[COUNT], other[ROWS * OTHER];
      form_member_draw(&m, &r);
      form_member_point(at, &m, &x, &r);
      form_member_point(other, &m, &y, &r);
      for (int i = 0; i < ROWS * ALL; i++) {
        const int row = i / ALL, c = i % ALL;
        arb_set_d(arb_mat_entry(exact, row, c), c < COLS ? at[row * COLS + c] : other[row * OTHER + c - COLS]);
      }
      used = fmax(used, form_member_used(&m, &out, exact, "join"));
    }
    form_clear(&x);
    form_clear(&y);
    form_clear(&out);
    form_member_clear(&m);
  }
  arb_mat_clear(exact);
  assert_true(used >= 0.9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forms_contain_every_mean),
      cmocka_unit_test(forms_contain_both_values),
  };
  return cmocka_run_group_tests_name("mean", tests, NULL, NULL);
}
