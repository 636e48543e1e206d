/* RMSNorm where a row is constant, 0, or of one number, and where its numbers are huge or tiny: values, gradients and
 * their enclosures against Arb, forms at points of what they are forms of. */
#include "network/rmsnorm/step_rmsnorm.h"
#include "network/step_enclosure.h"
#include "network_oracle.h"
#include "random_source.h"
#include "spectrum_oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4, BITS = NETWORK_ORACLE_BITS, POINTS = 40 };

static const double epsilon = 0x1p-20, gain[MOST] = {1.0, -0.5, 2.0, 0.25}, back[MOST] = {0.5, 1.0, -3.0, 0.125};
static const rmsnorm_weights weights = {gain, epsilon, 1, false};

static const struct {
  const char *name;
  int dim;
  double x[MOST];
} rows[] = {{"a row", 4, {1.0, -2.0, 0.5, 4.0}},
            {"a constant row", 3, {1.5, 1.5, 1.5}},
            {"zeros", 4, {0.0}},
            {"one number", 1, {-3.0}},
            {"one zero", 1, {0.0}},
            {"one number beside zeros", 4, {0.0, 0.0, 1.0, 0.0}}};
static const int exponents[] = {0, -9, 100, 200, -30, -200};

enum { ROWS = sizeof rows / sizeof rows[0], SCALES = sizeof exponents / sizeof exponents[0], CASES = ROWS * SCALES };

/* Case k: a row at a scale. */
typedef struct {
  char name[64];
  int dim;
  double scale, x[MOST];
  step s;
} row_case;

static row_case case_of(int k) {
  row_case c = {.dim = rows[k / SCALES].dim, .scale = ldexp(1.0, exponents[k % SCALES])};
  snprintf(c.name, sizeof c.name, "%s, times 2^%d", rows[k / SCALES].name, exponents[k % SCALES]);
  for (int a = 0; a < c.dim; a++) c.x[a] = c.scale * rows[k / SCALES].x[a];
  c.s = (step){.kind = &step_rmsnorm, .of = &weights, .layer = -1, .inputs = 1, .rows = 1, .cols = c.dim};
  return c;
}

static double sum_of_squares(const double *x, int dim) {
  double squares = 0.0;
  for (int a = 0; a < dim; a++) squares += x[a] * x[a];
  return squares;
}

/* y (1 x dim, initialised here) at x. */
static void exact_value(arb_mat_t y, const row_case *c, const double *x) {
  network_values v;
  step s = c->s;
  const network_steps network = {.tokens = 1, .dim = c->dim, .step = &s, .count = 1};
  const attcert_matrix at = {1, c->dim, (double *)x};
  network_values_init(&v, &network, &at);
  arb_mat_init(y, 1, c->dim);
  arb_mat_set(y, v.value[1]);
  network_values_clear(&v);
}

/* |x - y| <= tolerance; a ball that is wide is not known. */
static bool near(double x, const arb_t y, double tolerance) {
  return fabs(x - arf_get_d(arb_midref(y), ARF_RND_NEAR)) <= tolerance + mag_get_d(arb_radref(y));
}

static void point_enclosure(step_enclosure *e, const double *x, int dim, const step_scratch *scratch) {
  assert_int_equal(step_enclosure_init(e, 1, dim, scratch->precision, NULL), ATTCERT_OK);
  for (int a = 0; a < dim && x != NULL; a++) {
    mpfr_set_d(e->entry[a].lo, x[a], MPFR_RNDD);
    mpfr_set_d(e->entry[a].hi, x[a], MPFR_RNDU);
  }
}

static void values_are_enclosed(void **state) {
  (void)state;
  step_scratch scratch;
  step_scratch_init(&scratch, 128);
  for (int k = 0; k < CASES; k++) {
    const row_case c = case_of(k);
    const attcert_matrix x = {1, c.dim, (double *)c.x}, *const in[] = {&x};
    step_enclosure from, to;
    const step_enclosure *const enclosed[] = {&from};
    attcert_matrix y;
    arb_mat_t exact;
    exact_value(exact, &c, c.x);
    assert_int_equal(attcert_matrix_init(&y, 1, c.dim, NULL), ATTCERT_OK);
    assert_int_equal(step_rmsnorm.value(&y, &c.s, in, NULL), ATTCERT_OK);
    point_enclosure(&from, c.x, c.dim, &scratch);
    point_enclosure(&to, NULL, c.dim, &scratch);
    assert_int_equal(step_rmsnorm.enclose(&to, &c.s, enclosed, &scratch, NULL), ATTCERT_OK);
    for (int a = 0; a < c.dim; a++) {
      if (!near(y.data[a], arb_mat_entry(exact, 0, a), 0x1p-50 * fabs(y.data[a])))
        fail_msg("%s: entry %d is %g", c.name, a, y.data[a]);
      assert_true(spectrum_oracle_contains(c.name, &to.entry[a], arb_mat_entry(exact, 0, a)));
      assert_true(mpfr_get_d(to.entry[a].hi, MPFR_RNDU) - mpfr_get_d(to.entry[a].lo, MPFR_RNDD) <=
                  0x1p-51 * fabs(y.data[a]));
    }
    arb_mat_clear(exact);
    step_enclosure_clear(&from);
    step_enclosure_clear(&to);
    attcert_matrix_clear(&y);
  }
  step_scratch_clear(&scratch);
}

/* Of back . y along entry a, by a central difference of a step that is small beside s and exact beside x. */
static void exact_slope(arb_t slope, const row_case *c, int a, double s) {
  const double h = 0x1p-40 * fmin(c->scale, ldexp(1.0, ilogb(s)));
  double moved[MOST];
  arb_t factor;
  arb_mat_t above, below;
  memcpy(moved, c->x, sizeof moved);
  moved[a] = c->x[a] + h;
  exact_value(above, c, moved);
  moved[a] = c->x[a] - h;
  exact_value(below, c, moved);
  arb_mat_sub(above, above, below, BITS);
  arb_init(factor);
  arb_zero(slope);
  for (int b = 0; b < c->dim; b++) {
    arb_set_d(factor, back[b]);
    arb_addmul(slope, factor, arb_mat_entry(above, 0, b), BITS);
  }
  arb_set_d(factor, 2.0 * h);
  arb_div(slope, slope, factor, BITS);
  arb_clear(factor);
  arb_mat_clear(above);
  arb_mat_clear(below);
}

static void gradients_are_finite_differences(void **state) {
  (void)state;
  step_scratch scratch;
  step_scratch_init(&scratch, 128);
  for (int k = 0; k < CASES; k++) {
    const row_case c = case_of(k);
    double slope[MOST] = {0.0};
    attcert_matrix dx = {1, c.dim, slope}, *const to[] = {&dx};
    const attcert_matrix x = {1, c.dim, (double *)c.x}, dy = {1, c.dim, (double *)back}, *const in[] = {&x};
    step_enclosure from, of, enclosed;
    const step_enclosure *const at[] = {&from};
    step_enclosure *const into[] = {&enclosed};
    arb_t exact;
    arb_init(exact);
    point_enclosure(&from, c.x, c.dim, &scratch);
    point_enclosure(&of, back, c.dim, &scratch);
    point_enclosure(&enclosed, NULL, c.dim, &scratch);
    assert_int_equal(step_rmsnorm.pull_back(to, &c.s, in, &dy, NULL), ATTCERT_OK);
    assert_int_equal(step_rmsnorm.enclose_pull_back(into, &c.s, at, &of, &scratch, NULL), ATTCERT_OK);
    const double s = sqrt(sum_of_squares(c.x, c.dim) / c.dim + epsilon);
    const double tolerance = 1e-13 / s; /* the terms are at most 6 / s */
    for (int a = 0; a < c.dim; a++) {
      const double lo = mpfr_get_d(enclosed.entry[a].lo, MPFR_RNDN), hi = mpfr_get_d(enclosed.entry[a].hi, MPFR_RNDN);
      exact_slope(exact, &c, a, s);
      if (!near(slope[a], exact, tolerance)) fail_msg("%s: the slope along %d is %g", c.name, a, slope[a]);
      if (!(near(lo, exact, tolerance) && near(hi, exact, tolerance) && lo <= hi))
        fail_msg("%s: the slope along %d is between %g and %g", c.name, a, lo, hi);
    }
    step_enclosure_clear(&from);
    step_enclosure_clear(&of);
    step_enclosure_clear(&enclosed);
    arb_clear(exact);
  }
  step_scratch_clear(&scratch);
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* x + eps + rho, ||eps|| <= radius, |rho_a| <= miss: a symbol an entry. */
static void make_form(form *f, const row_case *c, double radius, double miss, form_symbols *symbols) {
  const form_segment segment = {.width = c->dim, .radius = radius, .input = true, .origin = -1};
  form_layout layout = {0};
  int id;
  assert_int_equal(form_symbols_add(&id, symbols, &segment, NULL), ATTCERT_OK);
  assert_int_equal(form_init(f, 1, c->dim, NULL), ATTCERT_OK);
  assert_int_equal(form_layout_set(&layout, &id, 1, symbols, NULL), ATTCERT_OK);
  assert_int_equal(form_set_layout(f, 0, &layout, NULL), ATTCERT_OK);
  memcpy(f->center, c->x, (size_t)c->dim * sizeof *c->x);
  for (int a = 0; a < c->dim; a++) {
    f->radius[a] = miss;
    f->row[0].linear[a * c->dim + a] = 1.0;
  }
  assert_int_equal(form_measure(f, symbols, NULL), ATTCERT_OK);
}

/* eps and a corner of rho, with so few bits that their sum with x is exact. */
static void draw(double *eps, double *x, const row_case *c, double radius, double miss, random_source *r) {
  for (int a = 0; a < c->dim; a++) eps[a] = random_gaussian(r);
  const double length = sqrt(sum_of_squares(eps, c->dim));
  for (int a = 0; a < c->dim; a++) {
    eps[a] = c->scale * ldexp(trunc(ldexp(eps[a] / length * (radius / c->scale) * (1.0 - 0x1p-30), 40)), -40);
    x[a] = c->x[a] + eps[a] + (random_chance(r, 0.5) ? miss : -miss);
  }
}

/* The largest part that a point uses of what an entry of the form is bounded by beside eps. */
static double part_used(const form *f, const row_case *c, const double *eps, const double *x) {
  const size_t columns = (size_t)form_layout_columns(&f->row[0].layout);
  double largest = 0.0;
  arb_mat_t y;
  arb_t t, u;
  arb_init(t);
  arb_init(u);
  exact_value(y, c, x);
  for (int a = 0; a < c->dim; a++) {
    arb_ptr z = arb_mat_entry(y, 0, a);
    arb_set_d(t, f->center[a]);
    arb_sub(z, z, t, BITS);
    for (int b = 0; b < c->dim; b++) {
      arb_set_d(t, f->row[0].linear[(size_t)a * columns + (size_t)b]);
      arb_set_d(u, eps[b]);
      arb_submul(z, t, u, BITS);
    }
    const double limit = f->support[a].other + f->radius[a];
    arb_abs(z, z);
    arb_set_d(t, limit);
    if (arb_gt(z, t)) fail_msg("%s: entry %d is beyond its bound %g", c->name, a, limit);
    if (limit > 0.0) largest = fmax(largest, arf_get_d(arb_midref(z), ARF_RND_NEAR) / limit);
  }
  arb_mat_clear(y);
  arb_clear(t);
  arb_clear(u);
  return largest;
}

/* Of a huge row that may be 0, too, 1 / s is too many orders of magnitude for a line: there may be no bound. */
static void forms_contain_every_value(void **state) {
  (void)state;
  static const double radii[] = {0.0, 0x1p-12, 0x1p-4, 2.0}, misses[] = {0.0, 0x1p-10};
  double used = 0.0, used_by_miss = 0.0;
  random_source r = random_source_make(3, 1, 4);
  for (int k = 0; k < CASES * 8; k++) {
    const row_case c = case_of(k / 8);
    const double radius = c.scale * radii[k % 4], miss = c.scale * misses[k / 4 % 2];
    form_symbols symbols = {0};
    form x = {0}, y = {0};
    make_form(&x, &c, radius, miss, &symbols);
    const form *const in[] = {&x};
    attcert_status status = step_rmsnorm.forms(&y, &c.s, in, &symbols, 0, NULL);
    if (status == ATTCERT_OK) status = form_measure(&y, &symbols, NULL);
    const bool near_zero = !(sqrt(sum_of_squares(c.x, c.dim)) > 4.0 * radius);
    if (status != ATTCERT_OK && !(near_zero && c.scale > 0x1p99)) fail_msg("%s: status %d", c.name, status);
    for (int p = 0; p < POINTS && status == ATTCERT_OK; p++) {
      double eps[MOST], at[MOST];
      draw(eps, at, &c, radius, miss, &r);
      const double part = part_used(&y, &c, eps, at);
      if (radius > 0.0 && miss == 0.0) used = fmax(used, part);
      if (radius == 0.0 && miss > 0.0) used_by_miss = fmax(used_by_miss, part);
    }
    form_clear(&x);
    form_clear(&y);
    form_symbols_clear(&symbols);
  }
  print_message("largest part of a bound used %.3f, of a radius %.3f\n", used, used_by_miss);
  assert_true(used > 0.5 && used_by_miss > 0.9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_enclosed),
      cmocka_unit_test(gradients_are_finite_differences),
      cmocka_unit_test(forms_contain_every_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
