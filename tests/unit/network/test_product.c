/* The product of two values: forms at members of theirs, whose rows share some symbols, also where all its bound is
 * used; values and gradients of huge, tiny and subnormal numbers and zeros, enclosed and in double. */
#include "form_member.h"
#include "network/product/step_product.h"
#include "network_oracle.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROWS = 2, COLS = 3, COUNT = ROWS * COLS, CASES = 400, POINTS = 20, BITS = 1200 };

static const step product = {.kind = &step_product, .layer = -1, .inputs = 2, .rows = ROWS, .cols = COLS};

static void multiply(arb_mat_t y, const double *x, const double *z) {
  arb_t t;
  arb_init(t);
  for (int k = 0; k < COUNT; k++) {
    arb_ptr entry = arb_mat_entry(y, k / COLS, k % COLS);
    arb_set_d(entry, x[k]);
    arb_set_d(t, z[k]);
    arb_mul(entry, entry, t, BITS);
  }
  arb_clear(t);
}

/* The largest part of a bound that is used where x and y are of such sizes, and miss so much of theirs. */
static double check_forms(double radius, double size, double other, double miss, uint64_t stream) {
  double used = 0.0;
  arb_mat_t exact;
  arb_mat_init(exact, ROWS, COLS);
  for (uint64_t k = 0; k < CASES; k++) {
    random_source r = random_source_make(9, stream, k);
    form_member m;
    form x, y, out;
    form_member_init(&m, radius, radius);
    form_member_form(&x, &m, ROWS, COLS, size, miss * size, &r);
    form_member_form(&y, &m, ROWS, COLS, other, miss * other, &r);
    const form *const in[] = {&x, random_chance(&r, 0.2) ? &x : &y};
    assert_int_equal(step_product.forms(&out, &product, in, &m.symbols, 0, NULL), ATTCERT_OK);
    assert_int_equal(form_measure(&out, &m.symbols, NULL), ATTCERT_OK);
    for (int p = 0; p < POINTS; p++) {
      double at[2][COUNT];
      form_member_draw(&m, &r);
      form_member_point(at[0], &m, in[0], &r);
      form_member_point(at[1], &m, in[1], &r);
      multiply(exact, at[0], in[1] == &x ? at[0] : at[1]);
      used = fmax(used, form_member_used(&m, &out, exact, "product"));
    }
    form_clear(&x);
    form_clear(&y);
    form_clear(&out);
    form_member_clear(&m);
  }
  arb_mat_clear(exact);
  return used;
}

static void forms_contain_every_product(void **state) {
  (void)state;
  static const struct {
    double radius, size, other, miss, least;
  } cases[] = {
      {1.0, 1.0, 1.0, 0.0, 0.9},          {0x1p-10, 1.0, 1.0, 0x1p-12, 0.9}, {0x1p-4, 0x1p100, 0x1p-100, 0.0, 0.9},
      {1.0, 0x1p140, 0x1p140, 0.0, 0.9},  {0x1p-10, 1.0, 1.0, 1.0, 0.9},     {0x1p-4, 0x1p-300, 0x1p-300, 1.0, 0.0},
      {0x1p-12, 1.0, 0x1p12, 0x1p-8, 0.9}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const double used = check_forms(cases[k].radius, cases[k].size, cases[k].other, cases[k].miss, k);
    print_message("case %zu: largest part of a bound used %.3f\n", k, used);
    assert_true(used >= cases[k].least);
  }
}

static const double hostile[COUNT] = {0.0, -1e300, 1e-300, 3.0, 0x1p-1074, -DBL_MAX};
static const double partner[COUNT] = {1e300, 1e-10, -1e-300, 0.5, -2.0, 0x1p-1022};
static const double back[COUNT] = {1.0, -2.0, 0.5, 1e-3, 3.0, -1.0};

static void enclosure_of(step_enclosure *e, const double *x, const step_scratch *scratch) {
  assert_int_equal(step_enclosure_init(e, ROWS, COLS, scratch->precision, NULL), ATTCERT_OK);
  for (int k = 0; k < COUNT && x != NULL; k++) {
    mpfr_set_d(e->entry[k].lo, x[k], MPFR_RNDD);
    mpfr_set_d(e->entry[k].hi, x[k], MPFR_RNDU);
  }
}

/* Of products of doubles 106 bits are exact. */
static void assert_enclosed(const step_enclosure *e, const double *x, const double *y) {
  for (int k = 0; k < COUNT; k++) {
    mpfr_t exact;
    mpfr_init2(exact, 120);
    mpfr_set_d(exact, x[k], MPFR_RNDN);
    mpfr_mul_d(exact, exact, y[k], MPFR_RNDN);
    assert_true(mpfr_equal_p(e->entry[k].lo, exact) && mpfr_equal_p(e->entry[k].hi, exact));
    mpfr_clear(exact);
  }
}

static void values_and_gradients_are_exact(void **state) {
  (void)state;
  step_scratch scratch;
  step_enclosure x[2], dx[2], y, dy;
  step_scratch_init(&scratch, 120);
  enclosure_of(&x[0], hostile, &scratch);
  enclosure_of(&x[1], partner, &scratch);
  enclosure_of(&dy, back, &scratch);
  enclosure_of(&dx[0], NULL, &scratch);
  enclosure_of(&dx[1], NULL, &scratch);
  enclosure_of(&y, NULL, &scratch);
  const step_enclosure *const in[] = {&x[0], &x[1]};
  step_enclosure *const to[] = {&dx[0], &dx[1]};
  assert_int_equal(step_product.enclose(&y, &product, in, &scratch, NULL), ATTCERT_OK);
  assert_int_equal(step_product.enclose_pull_back(to, &product, in, &dy, &scratch, NULL), ATTCERT_OK);
  assert_enclosed(&y, hostile, partner);
  assert_enclosed(&dx[0], partner, back);
  assert_enclosed(&dx[1], hostile, back);
  step_enclosure *const all[] = {&x[0], &x[1], &dx[0], &dx[1], &y, &dy};
  for (int k = 0; k < 6; k++) step_enclosure_clear(all[k]);
  step_scratch_clear(&scratch);
  double value[COUNT], of_x[COUNT] = {0.0}, of_y[COUNT] = {0.0};
  attcert_matrix a = {ROWS, COLS, (double *)hostile}, b = {ROWS, COLS, (double *)partner};
  attcert_matrix c = {ROWS, COLS, (double *)back}, v = {ROWS, COLS, value}, da = {ROWS, COLS, of_x};
  attcert_matrix db = {ROWS, COLS, of_y};
  const attcert_matrix *const from[] = {&a, &b};
  assert_int_equal(step_product.value(&v, &product, from, NULL), ATTCERT_OK);
  assert_int_equal(step_product.pull_back((attcert_matrix *const[]){&da, &db}, &product, from, &c, NULL), ATTCERT_OK);
  for (int k = 0; k < COUNT; k++) {
    assert_true(value[k] == hostile[k] * partner[k]);
    assert_true(of_x[k] == partner[k] * back[k] && of_y[k] == hostile[k] * back[k]);
  }
}

/* y = x^2: both inputs are one value, whose gradient gets both parts. */
static void a_square_has_both_parts_of_its_gradient(void **state) {
  (void)state;
  double slope[COUNT] = {0.0};
  const attcert_matrix x = {ROWS, COLS, (double *)partner}, dy = {ROWS, COLS, (double *)back}, *const in[] = {&x, &x};
  attcert_matrix dx = {ROWS, COLS, slope}, *const to[] = {&dx, &dx};
  assert_int_equal(step_product.pull_back(to, &product, in, &dy, NULL), ATTCERT_OK);
  for (int k = 0; k < COUNT; k++) assert_true(slope[k] == 2.0 * (partner[k] * back[k]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forms_contain_every_product),
      cmocka_unit_test(values_and_gradients_are_exact),
      cmocka_unit_test(a_square_has_both_parts_of_its_gradient),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
