#include "arb_curve.h"

#include <arb_hypgeom.h>
#include <math.h>

static void normal_distribution(arb_t y, const arb_t t, slong bits) {
  arb_set_si(y, 2);
  arb_rsqrt(y, y, bits);
  arb_mul(y, y, t, bits);
  arb_neg(y, y);
  arb_hypgeom_erfc(y, y, bits);
  arb_mul_2exp_si(y, y, -1);
}

static void normal_density(arb_t y, const arb_t t, slong bits) {
  arb_t pi;
  arb_init(pi);
  arb_const_pi(pi, bits);
  arb_mul_2exp_si(pi, pi, 1);
  arb_rsqrt(pi, pi, bits);
  arb_sqr(y, t, bits);
  arb_mul_2exp_si(y, y, -1);
  arb_neg(y, y);
  arb_exp(y, y, bits);
  arb_mul(y, y, pi, bits);
  arb_clear(pi);
}

static void gelu(arb_t y, const arb_t t, slong bits) {
  normal_distribution(y, t, bits);
  arb_mul(y, y, t, bits);
}

static void gelu_slope(arb_t y, const arb_t t, slong bits) {
  arb_t density;
  arb_init(density);
  normal_density(density, t, bits);
  normal_distribution(y, t, bits);
  arb_addmul(y, density, t, bits);
  arb_clear(density);
}

/* u = c (t + b t^3), du its derivative, a second one ddu. */
static void inner(arb_t u, arb_t du, arb_t ddu, const arb_t t, arb_tanh_form form, slong bits) {
  arb_t b, a;
  arb_init(a);
  arb_init(b);
  arb_set_si(b, 44715);
  arb_div_si(b, b, 1000000, bits);
  arb_const_pi(a, bits);
  arb_mul_2exp_si(a, a, -1);
  arb_rsqrt(a, a, bits);
  if (form == ARB_TANH_EIGHT_DIGITS) {
    arb_set_si(a, 79788456);
    arb_div_si(a, a, 100000000, bits);
  }
  if (form == ARB_TANH_FLOAT32) {
    arb_set_d(a, (double)0.79788456080286536f);
    arb_set_d(b, (double)0.044715f);
  }
  arb_sqr(du, t, bits);
  arb_mul(du, du, b, bits);
  arb_mul(u, du, t, bits);
  arb_add(u, u, t, bits);
  arb_mul(u, u, a, bits);
  arb_mul_si(du, du, 3, bits);
  arb_add_si(du, du, 1, bits);
  arb_mul(du, du, a, bits);
  arb_mul(ddu, a, b, bits);
  arb_mul(ddu, ddu, t, bits);
  arb_mul_si(ddu, ddu, 6, bits);
  arb_clear(a);
  arb_clear(b);
}

static void tanh_form(arb_t y, const arb_t t, arb_tanh_form form, slong bits) {
  arb_t u, du, ddu;
  arb_init(u);
  arb_init(du);
  arb_init(ddu);
  inner(u, du, ddu, t, form, bits);
  arb_tanh(u, u, bits);
  arb_add_si(u, u, 1, bits);
  arb_mul(y, u, t, bits);
  arb_mul_2exp_si(y, y, -1);
  arb_clear(u);
  arb_clear(du);
  arb_clear(ddu);
}

void arb_curve_gelu_tanh_derivative(arb_t y, const arb_t t, int order, arb_tanh_form form, slong bits) {
  arb_t u, du, ddu, s;
  arb_init(u);
  arb_init(du);
  arb_init(ddu);
  arb_init(s);
  inner(u, du, ddu, t, form, bits);
  arb_tanh(u, u, bits);
  arb_sqr(s, u, bits);
  arb_sub_si(s, s, 1, bits);
  arb_neg(s, s);
  if (order == 1) {
    arb_mul(s, s, du, bits);
    arb_mul(s, s, t, bits);
    arb_add_si(u, u, 1, bits);
    arb_add(y, u, s, bits);
    arb_mul_2exp_si(y, y, -1);
  } else {
    arb_mul(u, u, du, bits);
    arb_mul(u, u, du, bits);
    arb_mul_2exp_si(u, u, 1);
    arb_sub(u, ddu, u, bits);
    arb_mul(u, u, t, bits);
    arb_mul_2exp_si(u, u, -1);
    arb_add(u, u, du, bits);
    arb_mul(y, u, s, bits);
  }
  arb_clear(u);
  arb_clear(du);
  arb_clear(ddu);
  arb_clear(s);
}

static void gelu_tanh(arb_t y, const arb_t t, slong bits) {
  tanh_form(y, t, ARB_TANH_EXACT, bits);
}

static void gelu_tanh_slope(arb_t y, const arb_t t, slong bits) {
  arb_curve_gelu_tanh_derivative(y, t, 1, ARB_TANH_EXACT, bits);
}

static void gelu_bloom(arb_t y, const arb_t t, slong bits) {
  tanh_form(y, t, ARB_TANH_EIGHT_DIGITS, bits);
}

static void gelu_bloom_slope(arb_t y, const arb_t t, slong bits) {
  arb_curve_gelu_tanh_derivative(y, t, 1, ARB_TANH_EIGHT_DIGITS, bits);
}

static void tanh_float32(arb_t y, const arb_t t, slong bits) {
  tanh_form(y, t, ARB_TANH_FLOAT32, bits);
}

static void tanh_float32_slope(arb_t y, const arb_t t, slong bits) {
  arb_curve_gelu_tanh_derivative(y, t, 1, ARB_TANH_FLOAT32, bits);
}

static void erf_value(arb_t y, const arb_t t, slong bits) {
  arb_hypgeom_erf(y, t, bits);
}

/* 2 exp(-t^2) / sqrt(pi) */
static void erf_slope(arb_t y, const arb_t t, slong bits) {
  arb_t pi;
  arb_init(pi);
  arb_const_pi(pi, bits);
  arb_rsqrt(pi, pi, bits);
  arb_sqr(y, t, bits);
  arb_neg(y, y);
  arb_exp(y, y, bits);
  arb_mul(y, y, pi, bits);
  arb_mul_2exp_si(y, y, 1);
  arb_clear(pi);
}

static void erf_gated(arb_t y, const arb_t t, slong bits) {
  arb_hypgeom_erf(y, t, 4 * bits);
  arb_add_si(y, y, 1, 4 * bits);
  arb_mul(y, y, t, bits);
}

static void erf_gated_slope(arb_t y, const arb_t t, slong bits) {
  arb_t gate;
  arb_init(gate);
  arb_hypgeom_erf(gate, t, 4 * bits);
  arb_add_si(gate, gate, 1, 4 * bits);
  erf_slope(y, t, bits);
  arb_mul(y, y, t, bits);
  arb_add(y, y, gate, bits);
  arb_clear(gate);
}

/* g = 1 / (1 + exp(-factor t)), the factor in thousandths. */
static void gate(arb_t y, const arb_t t, slong thousandths, slong bits) {
  arb_mul_si(y, t, -thousandths, bits);
  arb_div_si(y, y, 1000, bits);
  arb_exp(y, y, bits);
  arb_add_si(y, y, 1, bits);
  arb_inv(y, y, bits);
}

static void gated(arb_t y, const arb_t t, slong thousandths, slong bits) {
  arb_t g;
  arb_init(g);
  gate(g, t, thousandths, bits);
  arb_mul(y, g, t, bits);
  arb_clear(g);
}

/* g + factor t (g - g^2). */
static void gated_slope(arb_t y, const arb_t t, slong thousandths, slong bits) {
  arb_t g, curved;
  arb_init(g);
  arb_init(curved);
  gate(g, t, thousandths, bits);
  arb_sqr(curved, g, bits);
  arb_sub(curved, g, curved, bits);
  arb_mul(curved, curved, t, bits);
  arb_mul_si(curved, curved, thousandths, bits);
  arb_div_si(curved, curved, 1000, bits);
  arb_add(y, g, curved, bits);
  arb_clear(g);
  arb_clear(curved);
}

static void silu(arb_t y, const arb_t t, slong bits) {
  gated(y, t, 1000, bits);
}

static void silu_slope(arb_t y, const arb_t t, slong bits) {
  gated_slope(y, t, 1000, bits);
}

static void quick_gelu(arb_t y, const arb_t t, slong bits) {
  gated(y, t, 1702, bits);
}

static void quick_gelu_slope(arb_t y, const arb_t t, slong bits) {
  gated_slope(y, t, 1702, bits);
}

static void tanh_value(arb_t y, const arb_t t, slong bits) {
  arb_tanh(y, t, bits);
}

static void tanh_slope(arb_t y, const arb_t t, slong bits) {
  arb_sech(y, t, bits);
  arb_sqr(y, y, bits);
}

static void relu(arb_t y, const arb_t t, slong bits) {
  (void)bits;
  if (arb_is_negative(t))
    arb_zero(y);
  else
    arb_set(y, t);
}

static void relu_slope(arb_t y, const arb_t t, slong bits) {
  (void)bits;
  arb_set_si(y, arb_is_negative(t) ? 0 : 1);
}

static void inverse_sqrt(arb_t y, const arb_t t, slong bits) {
  arb_rsqrt(y, t, bits);
}

static void inverse_sqrt_slope(arb_t y, const arb_t t, slong bits) {
  arb_rsqrt(y, t, bits);
  arb_pow_ui(y, y, 3, bits);
  arb_mul_2exp_si(y, y, -1);
  arb_neg(y, y);
}

const arb_curve arb_curves[ARB_CURVES] = {
    {"gelu", &curve_gelu, gelu, gelu_slope, false},
    {"gelu_tanh", &curve_gelu_tanh, gelu_tanh, gelu_tanh_slope, false},
    {"gelu_bloom", &curve_gelu_bloom, gelu_bloom, gelu_bloom_slope, false},
    {"silu", &curve_silu, silu, silu_slope, false},
    {"quick_gelu", &curve_quick_gelu, quick_gelu, quick_gelu_slope, false},
    {"relu", &curve_relu, relu, relu_slope, false},
    {"tanh", &curve_tanh, tanh_value, tanh_slope, false},
    {"erf", &curve_erf, erf_value, erf_slope, false},
    {"erf_gated", &curve_erf_gated, erf_gated, erf_gated_slope, false},
    {"tanh_gated_float32", &curve_tanh_gated_float32, tanh_float32, tanh_float32_slope, false},
    {"inverse_sqrt", &curve_inverse_sqrt, inverse_sqrt, inverse_sqrt_slope, true},
};

void arb_curve_value(arb_t y, const range_curve *curve, const arb_t t, slong bits) {
  int c = 0;
  while (arb_curves[c].curve != curve) c++;
  arb_curves[c].value(y, t, bits);
}

double arb_curve_argument(const arb_curve *c, random_source *r) {
  const double t = random_chance(r, 0.5) ? random_uniform(r, -5.0, 5.0)
                                         : random_magnitude(r, -40, 5) * (random_chance(r, 0.5) ? 1.0 : -1.0);
  return c->positive ? fabs(t) : t;
}
