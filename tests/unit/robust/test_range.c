/* Ranges: arithmetic, elementary functions, curves and their lines against Arb. */
#include "random_source.h"
#include "robust/range/range_function.h"
#include "robust/range/range_line.h"
#include "test_setting.h"

#include <arb.h>
#include <arb_hypgeom.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BITS = 160, DEFAULT_CASES = 400 };

/* ---- the functions in Arb ---------------------------------------------------------------------------------------- */

static void normal_distribution(arb_t y, const arb_t t) {
  arb_set_si(y, 2);
  arb_rsqrt(y, y, BITS);
  arb_mul(y, y, t, BITS);
  arb_neg(y, y);
  arb_hypgeom_erfc(y, y, BITS);
  arb_mul_2exp_si(y, y, -1);
}

static void normal_density(arb_t y, const arb_t t) {
  arb_t pi;
  arb_init(pi);
  arb_const_pi(pi, BITS);
  arb_mul_2exp_si(pi, pi, 1);
  arb_rsqrt(pi, pi, BITS);
  arb_sqr(y, t, BITS);
  arb_mul_2exp_si(y, y, -1);
  arb_neg(y, y);
  arb_exp(y, y, BITS);
  arb_mul(y, y, pi, BITS);
  arb_clear(pi);
}

static void gelu(arb_t y, const arb_t t) {
  normal_distribution(y, t);
  arb_mul(y, y, t, BITS);
}

static void gelu_slope(arb_t y, const arb_t t) {
  arb_t density;
  arb_init(density);
  normal_density(density, t);
  normal_distribution(y, t);
  arb_addmul(y, density, t, BITS);
  arb_clear(density);
}

/* u = sqrt(2/pi) (t + 0.044715 t^3), du its derivative, a second one ddu. */
static void inner(arb_t u, arb_t du, arb_t ddu, const arb_t t) {
  arb_t b, a;
  arb_init(a);
  arb_init(b);
  arb_set_si(b, 44715);
  arb_div_si(b, b, 1000000, BITS);
  arb_const_pi(a, BITS);
  arb_mul_2exp_si(a, a, -1);
  arb_rsqrt(a, a, BITS);
  arb_sqr(du, t, BITS);
  arb_mul(du, du, b, BITS);
  arb_mul(u, du, t, BITS);
  arb_add(u, u, t, BITS);
  arb_mul(u, u, a, BITS);
  arb_mul_si(du, du, 3, BITS);
  arb_add_si(du, du, 1, BITS);
  arb_mul(du, du, a, BITS);
  arb_mul(ddu, a, b, BITS);
  arb_mul(ddu, ddu, t, BITS);
  arb_mul_si(ddu, ddu, 6, BITS);
  arb_clear(a);
  arb_clear(b);
}

static void gelu_tanh(arb_t y, const arb_t t) {
  arb_t u, du, ddu;
  arb_init(u);
  arb_init(du);
  arb_init(ddu);
  inner(u, du, ddu, t);
  arb_tanh(u, u, BITS);
  arb_add_si(u, u, 1, BITS);
  arb_mul(y, u, t, BITS);
  arb_mul_2exp_si(y, y, -1);
  arb_clear(u);
  arb_clear(du);
  arb_clear(ddu);
}

/* order 1: (1 + T) / 2 + t (1 - T^2) u' / 2; order 2: (1 - T^2) (u' + t (u'' - 2 T u'^2) / 2). */
static void gelu_tanh_derivative(arb_t y, const arb_t t, int order) {
  arb_t u, du, ddu, s;
  arb_init(u);
  arb_init(du);
  arb_init(ddu);
  arb_init(s);
  inner(u, du, ddu, t);
  arb_tanh(u, u, BITS);
  arb_sqr(s, u, BITS);
  arb_sub_si(s, s, 1, BITS);
  arb_neg(s, s);
  if (order == 1) {
    arb_mul(s, s, du, BITS);
    arb_mul(s, s, t, BITS);
    arb_add_si(u, u, 1, BITS);
    arb_add(y, u, s, BITS);
    arb_mul_2exp_si(y, y, -1);
  } else {
    arb_mul(u, u, du, BITS);
    arb_mul(u, u, du, BITS);
    arb_mul_2exp_si(u, u, 1);
    arb_sub(u, ddu, u, BITS);
    arb_mul(u, u, t, BITS);
    arb_mul_2exp_si(u, u, -1);
    arb_add(u, u, du, BITS);
    arb_mul(y, u, s, BITS);
  }
  arb_clear(u);
  arb_clear(du);
  arb_clear(ddu);
  arb_clear(s);
}

static void gelu_tanh_slope(arb_t y, const arb_t t) {
  gelu_tanh_derivative(y, t, 1);
}

static void tanh_value(arb_t y, const arb_t t) {
  arb_tanh(y, t, BITS);
}

static void tanh_slope(arb_t y, const arb_t t) {
  arb_sech(y, t, BITS);
  arb_sqr(y, y, BITS);
}

static void relu(arb_t y, const arb_t t) {
  if (arb_is_negative(t))
    arb_zero(y);
  else
    arb_set(y, t);
}

static void relu_slope(arb_t y, const arb_t t) {
  arb_set_si(y, arb_is_negative(t) ? 0 : 1);
}

static void inverse_sqrt(arb_t y, const arb_t t) {
  arb_rsqrt(y, t, BITS);
}

static void inverse_sqrt_slope(arb_t y, const arb_t t) {
  arb_rsqrt(y, t, BITS);
  arb_pow_ui(y, y, 3, BITS);
  arb_mul_2exp_si(y, y, -1);
  arb_neg(y, y);
}

static void exponential(arb_t y, const arb_t t) {
  arb_exp(y, t, BITS);
}

typedef struct {
  const char *name;
  const range_curve *curve;
  void (*value)(arb_t y, const arb_t t), (*slope)(arb_t y, const arb_t t);
  bool positive;
} curve_case;

static const curve_case curves[] = {
    {"gelu", &curve_gelu, gelu, gelu_slope, false},
    {"gelu_tanh", &curve_gelu_tanh, gelu_tanh, gelu_tanh_slope, false},
    {"relu", &curve_relu, relu, relu_slope, false},
    {"tanh", &curve_tanh, tanh_value, tanh_slope, false},
    {"inverse_sqrt", &curve_inverse_sqrt, inverse_sqrt, inverse_sqrt_slope, true},
};

enum { CURVES = sizeof curves / sizeof curves[0] };

/* ---- containment ------------------------------------------------------------------------------------------------- */

static bool inside(range r, const arb_t x) {
  arb_t end;
  arb_init(end);
  arb_set_d(end, r.lo);
  bool in = !arb_gt(end, x);
  arb_set_d(end, r.hi);
  in = in && !arb_lt(end, x);
  arb_clear(end);
  return in;
}

static void assert_at(void (*function)(arb_t, const arb_t), range r, double t, const char *name) {
  arb_t x, y;
  arb_init(x);
  arb_init(y);
  arb_set_d(x, t);
  function(y, x);
  if (!inside(r, y)) fail_msg("%s(%a): [%a, %a] misses the value", name, t, r.lo, r.hi);
  const double magnitude = fmax(range_magnitude(r), 1e-300);
  if (!(r.hi - r.lo <= 1e-13 * magnitude + 1e-13)) fail_msg("%s(%a): [%a, %a] is wide", name, t, r.lo, r.hi);
  arb_clear(x);
  arb_clear(y);
}

static double argument(random_source *r, bool positive) {
  const double t = random_chance(r, 0.5) ? random_uniform(r, -5.0, 5.0)
                                         : random_magnitude(r, -40, 5) * (random_chance(r, 0.5) ? 1.0 : -1.0);
  return positive ? fabs(t) : t;
}

static void functions_contain_the_value(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES);
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 3, 0);
  for (uint64_t i = 0; i < cases; i++) {
    for (size_t c = 0; c < CURVES; c++) {
      const double t = argument(&r, curves[c].positive);
      range value;
      const range slope = curves[c].curve->tangent(t, &value);
      assert_at(curves[c].value, curves[c].curve->value(t), t, curves[c].name);
      assert_at(curves[c].value, value, t, curves[c].name);
      assert_at(curves[c].slope, slope, t, curves[c].name);
      assert_true(fabs(curves[c].curve->estimate(t) - value.lo) <= 1e-9 * (1.0 + fabs(value.lo)));
    }
    const double t = random_uniform(&r, -30.0, 3.0);
    assert_at(exponential, range_exp(t), t, "exp");
  }
}

static double operand(random_source *r) {
  if (random_chance(r, 0.1)) return 0.0;
  return random_magnitude(r, -30, 30) * (random_chance(r, 0.5) ? 1.0 : -1.0);
}

static void arithmetic_contains_the_value(void **state) {
  (void)state;
  random_source r = random_source_make(5, 3, 1);
  arb_t x, y, z;
  arb_init(x);
  arb_init(y);
  arb_init(z);
  for (int i = 0; i < 4000; i++) {
    const double p = operand(&r), q = operand(&r), s = operand(&r), t = operand(&r);
    const range a = {fmin(p, q), fmax(p, q)}, b = {fmin(s, t), fmax(s, t)};
    arb_set_d(x, random_chance(&r, 0.5) ? p : q);
    arb_set_d(y, random_chance(&r, 0.5) ? s : t);
    arb_add(z, x, y, BITS);
    assert_true(inside(range_add(a, b), z));
    arb_sub(z, x, y, BITS);
    assert_true(inside(range_sub(a, b), z));
    arb_mul(z, x, y, BITS);
    assert_true(inside(range_mul(a, b), z));
    if (b.lo > 0.0) {
      arb_div(z, x, y, BITS);
      assert_true(inside(range_div(a, b), z));
    }
    const double middle = range_middle(a);
    assert_true(range_radius(a, middle) >= fabs(p - middle) && range_radius(a, middle) >= fabs(q - middle));
  }
  assert_false(range_finite(range_div(range_of(1.0), (range){0.0, 1.0})));
  assert_false(range_finite(range_mul(range_of(INFINITY), (range){0.0, 1.0})));
  arb_clear(x);
  arb_clear(y);
  arb_clear(z);
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* phi(t) - slope (t - center) - height in Arb, its middle as a double; fails where it is beyond the error. */
static double off_line(const curve_case *c, range_line line, double t, double center) {
  arb_t x, y, s;
  arb_init(x);
  arb_init(y);
  arb_init(s);
  arb_set_d(x, t);
  c->value(y, x);
  arb_set_d(s, center);
  arb_sub(x, x, s, BITS);
  arb_set_d(s, line.slope);
  arb_submul(y, x, s, BITS);
  arb_set_d(s, line.height);
  arb_sub(y, y, s, BITS);
  arb_abs(y, y);
  arb_set_d(s, line.error);
  if (arb_gt(y, s)) fail_msg("%s: the line about %a misses the curve at %a", c->name, center, t);
  const double off = arf_get_d(arb_midref(y), ARF_RND_NEAR);
  arb_clear(x);
  arb_clear(y);
  arb_clear(s);
  return off;
}

static void lines_contain_the_curve(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES);
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 3, 2);
  for (uint64_t i = 0; i < cases; i++) {
    for (size_t c = 0; c < CURVES; c++) {
      const double center = argument(&r, curves[c].positive);
      const double reach = random_magnitude(&r, -30, 1) * (curves[c].positive ? fmin(center, 1.0) / 4.0 : 1.0);
      const double lo = center - reach, hi = center + reach * random_uniform(&r, 0.3, 1.0);
      const range_line line = range_line_along(curves[c].curve, lo, hi, center);
      double largest = 0.0;
      for (int k = 0; k <= 64; k++) {
        const double t = k == 64 ? hi : lo + (hi - lo) * k / 64.0;
        largest = fmax(largest, off_line(&curves[c], line, t, center));
      }
      if (line.error > 1e-9 * (1.0 + fabs(line.height)) && line.error > 1.05 * largest)
        fail_msg("%s: error %g of the line on [%a, %a], but only %g is used", curves[c].name, line.error, lo, hi,
                 largest);
    }
  }
}

static void lines_refuse_what_is_not_finite(void **state) {
  (void)state;
  for (size_t c = 0; c < CURVES; c++) {
    assert_true(isinf(range_line_along(curves[c].curve, 1.0, INFINITY, 2.0).error));
    assert_true(isinf(range_line_along(curves[c].curve, NAN, 3.0, 2.0).error));
    assert_true(isinf(range_line_along(curves[c].curve, 1.0, 2.0, 3.0).error));
  }
  assert_true(!isfinite(range_line_along(&curve_inverse_sqrt, 0.0, 1.0, 0.5).error));
}

/* The second derivative (1 - T^2) (u' + t u'' / 2 - t T u'^2) of the tanh form keeps its sign between the bends: by Arb
 * on small pieces up to 8. Beyond, t u'' <= 2 u' (as 6 b t^2 <= 2 (1 + 3 b t^2)), t u' > 6 and T > 1/2, so the second
 * factor is at most u' (2 - 3) < 0; it is even in t. */
static void bends_of_gelu_tanh(void **state) {
  (void)state;
  const range *const bend = curve_gelu_tanh.bend;
  arb_t x, y;
  arb_init(x);
  arb_init(y);
  const double step = 0x1p-10;
  for (int k = -8 * 1024; k < 8 * 1024; k++) {
    double lo = k * step, hi = (k + 1) * step;
    for (int side = 0; side < 2; side++) { /* the piece without the bend's own range */
      if (hi > bend[side].lo && lo < bend[side].lo) hi = bend[side].lo;
      if (lo < bend[side].hi && hi > bend[side].hi) lo = bend[side].hi;
    }
    arb_set_d(x, 0.5 * (lo + hi));
    mag_set_d(arb_radref(x), 0.5 * (hi - lo));
    gelu_tanh_derivative(y, x, 2);
    const bool outside = hi <= bend[0].lo || lo >= bend[1].hi;
    if (fabs(fabs(lo) - bend[1].lo) > 4.0 * step) assert_true(outside ? arb_is_negative(y) : arb_is_positive(y));
    assert_true(arf_cmpabs_d(arb_midref(y), 0.99) < 0);
  }
  for (int side = 0; side < 2; side++) {
    arb_set_d(x, bend[side].lo);
    gelu_tanh_derivative(y, x, 2);
    assert_true(side == 0 ? arb_is_negative(y) : arb_is_positive(y));
    arb_set_d(x, bend[side].hi);
    gelu_tanh_derivative(y, x, 2);
    assert_true(side == 0 ? arb_is_positive(y) : arb_is_negative(y));
  }
  arb_clear(x);
  arb_clear(y);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_contain_the_value), cmocka_unit_test(arithmetic_contains_the_value),
      cmocka_unit_test(lines_contain_the_curve), cmocka_unit_test(lines_refuse_what_is_not_finite),
      cmocka_unit_test(bends_of_gelu_tanh)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
