#include "network/rotary/rotary_rule.h"

#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "linalg/rounding/upward.h"

#include <math.h>

/* exp(-2 m / dim log base). */
static void power(interval *f, const rotary_rule *rule, int m, interval_scratch *ws) {
  interval t;
  interval_init(&t, mpfr_get_prec(f->lo));
  interval_set_d(f, rule->base);
  interval_log(f, f);
  interval_set_si(&t, -2L * m);
  interval_mul(f, f, &t, ws);
  interval_set_si(&t, rule->dim);
  interval_div(f, f, &t, ws);
  interval_exp(f, f);
  interval_clear(&t);
}

/* |log base|, rounded upward. */
static double size_of_logarithm(double base) {
  interval t;
  MPFR_DECL_INIT(size, 64);
  interval_init(&t, 64);
  interval_set_d(&t, base);
  interval_log(&t, &t);
  interval_mag(size, &t);
  interval_clear(&t);
  return mpfr_get_d(size, MPFR_RNDU);
}

/* 1 / base^e, e = 2 m / dim, by a power, a reciprocal and a product with the position. e rounds twice at most, by d
 * together, which moves the power by a factor of exp(d e |log base|); as exp(t) - 1 <= t / (1 - t), it is off by
 *   p = (1 + t / (1 - t)) (1 + f) - 1,   t = gamma_2 e |log base|,
 * f its function's error, and the reciprocal by p / (1 - p). The base rounds, which counts e <= 1 times, the reciprocal
 * and the product. */
static double power_error(const rotary_rule *rule, int m, const step_format *format) {
  if (!step_format_holds(format, rule->base)) return INFINITY;
  const double exponent = upward_div(2.0 * m, rule->dim);
  const double t = upward_mul(step_format_gamma(format, 2.0), upward_mul(exponent, size_of_logarithm(rule->base)));
  const double of_power = upward_compound(upward_inverse(t), step_format_function(format));
  return upward_compound(upward_inverse(of_power), step_format_gamma(format, 3.0));
}

rotary_rule rotary_rule_powers(double base, int dim) {
  return (rotary_rule){.frequency = power, .error = power_error, .base = base, .dim = dim, .scaling.factor = 1.0};
}

/* ---- slower turns ------------------------------------------------------------------------------------------------ */

/* s := what is between 0 and 1 of it. */
static void clamp_share(interval *s) {
  if (mpfr_sgn(s->lo) < 0) mpfr_set_zero(s->lo, 1);
  if (mpfr_sgn(s->hi) < 0) mpfr_set_zero(s->hi, 1);
  if (mpfr_cmp_ui(s->lo, 1) > 0) mpfr_set_ui(s->lo, 1, MPFR_RNDN);
  if (mpfr_cmp_ui(s->hi, 1) > 0) mpfr_set_ui(s->hi, 1, MPFR_RNDN);
}

/* s of the frequency f, before it is held between 0 and 1; t: scratch. */
static void enclose_share(interval *s, interval *t, const interval *f, const rotary_scaling *scaling,
                          interval_scratch *ws) {
  interval_set_d(t, 0.5 * scaling->length);
  interval_mul(s, f, t, ws);
  mpfr_const_pi(t->lo, MPFR_RNDD);
  mpfr_const_pi(t->hi, MPFR_RNDU);
  interval_div(s, s, t, ws);
  interval_set_d(t, scaling->low);
  interval_sub(s, s, t);
  mpfr_set_d(t->lo, scaling->high, MPFR_RNDD);
  mpfr_sub_d(t->lo, t->lo, scaling->low, MPFR_RNDD);
  mpfr_set_d(t->hi, scaling->high, MPFR_RNDU);
  mpfr_sub_d(t->hi, t->hi, scaling->low, MPFR_RNDU);
  interval_div(s, s, t, ws);
}

static void divided_power(interval *f, const rotary_rule *rule, int m, interval_scratch *ws) {
  interval t;
  interval_init(&t, mpfr_get_prec(f->lo));
  power(f, rule, m, ws);
  interval_set_d(&t, rule->scaling.divisor[m]);
  interval_div(f, f, &t, ws);
  interval_clear(&t);
}

/* 1 / (divisor base^e): the divisor rounds, and its product with the power, which is between the divisor and its
 * product with the base. */
static double divided_power_error(const rotary_rule *rule, int m, const step_format *format) {
  const double divisor = rule->scaling.divisor[m];
  if (!step_format_holds(format, divisor) || !step_format_holds(format, divisor * rule->base)) return INFINITY;
  return upward_compound(power_error(rule, m, format), step_format_gamma(format, 2.0));
}

/* f (1 / factor + s (1 - 1 / factor)). */
static void scaled_power(interval *f, const rotary_rule *rule, int m, interval_scratch *ws) {
  const mpfr_prec_t precision = mpfr_get_prec(f->lo);
  interval share, t, slow;
  interval_init(&share, precision);
  interval_init(&t, precision);
  interval_init(&slow, precision);
  power(f, rule, m, ws);
  if (rule->scaling.by_pair)
    rotary_rule_pair_share(&share, &t, rule, m, ws);
  else if (rule->scaling.high > 0.0)
    enclose_share(&share, &t, f, &rule->scaling, ws);
  else
    interval_set_zero(&share);
  clamp_share(&share);
  interval_set_si(&slow, 1);
  interval_set_d(&t, rule->scaling.factor);
  interval_div(&slow, &slow, &t, ws);
  interval_set_si(&t, 1);
  interval_sub(&t, &t, &slow);
  interval_fma(&t, &share, &t, &slow, ws);
  interval_mul(f, f, &t, ws);
  interval_clear(&share);
  interval_clear(&t);
  interval_clear(&slow);
}

/* Linear: one division more. Otherwise, with e the error of f, s is computed by way of 2 pi / f in at most 6 roundings
 * and is off by
 *   d = (high (e + gamma_6 (1 + e)) + gamma_3 high) / (high - low):
 * where it is between 0 and 1, length f / (2 pi) is at most high, and where it is held there it moves less. The factor
 * is at least 1 / factor, so that d makes it relatively wrong by factor d, and four roundings follow. */
static double scaled_power_error(const rotary_rule *rule, int m, const step_format *format) {
  const rotary_scaling *const scaling = &rule->scaling;
  const double error = power_error(rule, m, format);
  if (!step_format_holds(format, scaling->factor)) return INFINITY;
  if (scaling->by_pair) return upward_compound(error, rotary_rule_pair_error(rule, m, format));
  if (scaling->high == 0.0) return upward_compound(error, step_format_gamma(format, 1.0));
  const bool holds = step_format_holds(format, scaling->length) && step_format_holds(format, scaling->high) &&
                     (scaling->low == 0.0 || step_format_holds(format, scaling->low));
  const double apart = (scaling->high - scaling->low) * (1.0 - 2.0 * UNIT_ROUNDOFF);
  const double of_turns = upward_compound(error, step_format_gamma(format, 6.0));
  const double off = upward_div(upward_mul(scaling->high, upward_add(of_turns, step_format_gamma(format, 3.0))), apart);
  if (!holds || !(off < 0.5)) return INFINITY;
  return upward_compound(error, upward_compound(upward_mul(scaling->factor, off), step_format_gamma(format, 4.0)));
}

rotary_rule rotary_rule_scaled(double base, int dim, const rotary_scaling *scaling) {
  const bool divided = scaling->divisor != NULL;
  if (scaling->factor == 1.0 && !scaling->by_pair && !divided) return rotary_rule_powers(base, dim);
  return (rotary_rule){.frequency = divided ? divided_power : scaled_power,
                       .error = divided ? divided_power_error : scaled_power_error,
                       .base = base,
                       .dim = dim,
                       .scaling = *scaling};
}

void rotary_rule_frequency(interval *f, const rotary_rule *rule, int m, interval_scratch *ws) {
  if (2 * m < rule->dim)
    rule->frequency(f, rule, m, ws);
  else
    interval_set_zero(f);
}

double rotary_rule_error(const rotary_rule *rule, int m, const step_format *format) {
  return 2 * m < rule->dim ? rule->error(rule, m, format) : 0.0;
}

/* Whether both have none, or the same ones. */
static bool same_divisors(const rotary_rule *a, const rotary_rule *b) {
  const double *const x = a->scaling.divisor, *const y = b->scaling.divisor;
  if (x == NULL || y == NULL || a->dim != b->dim) return x == y;
  for (int m = 0; m < a->dim / 2; m++) {
    if (x[m] != y[m]) return false;
  }
  return true;
}

bool rotary_rule_same(const rotary_rule *a, const rotary_rule *b) {
  const rotary_scaling *const s = &a->scaling, *const t = &b->scaling;
  return a->frequency == b->frequency && a->error == b->error && a->base == b->base && a->dim == b->dim &&
         a->still == b->still && s->slope == t->slope && s->factor == t->factor && s->low == t->low &&
         s->high == t->high && s->length == t->length && s->by_pair == t->by_pair && s->whole == t->whole &&
         s->amplitude == t->amplitude && s->extent == t->extent && same_divisors(a, b);
}

/* The largest frequency is 1, or near 1 / base, times what the smallest divisor adds: its binary exponent and that of
 * the position are what the angle has before the point, and a few more go to the operations. */
mpfr_prec_t rotary_rule_precision(const rotary_rule *rule, int position, mpfr_prec_t bits) {
  const double *const divisor = rule->scaling.divisor;
  int above = rule->base < 1.0 ? -ilogb(rule->base) : 0, quicker = 0;
  for (int m = 0; m < rule->dim / 2 && divisor != NULL; m++) {
    if (divisor[m] < 1.0 && -ilogb(divisor[m]) > quicker) quicker = -ilogb(divisor[m]);
  }
  above += quicker;
  return bits + (mpfr_prec_t)ilogb(position + 1.0) + above + 24;
}

/* One end of the angle alone, widened by the width w of the angle: |cos x - cos y| <= |x - y|, and so of sin. */
void rotary_rule_turn(interval *cosine, interval *sine, const interval *f, int position, interval_scratch *ws) {
  interval angle, width;
  interval_init(&angle, mpfr_get_prec(f->lo));
  interval_init(&width, mpfr_get_prec(f->lo));
  interval_set_si(&angle, position);
  interval_mul(&angle, f, &angle, ws);
  mpfr_sub(width.hi, angle.hi, angle.lo, MPFR_RNDU);
  mpfr_neg(width.lo, width.hi, MPFR_RNDD);
  mpfr_cos(cosine->lo, angle.lo, MPFR_RNDD);
  mpfr_cos(cosine->hi, angle.lo, MPFR_RNDU);
  mpfr_sin(sine->lo, angle.lo, MPFR_RNDD);
  mpfr_sin(sine->hi, angle.lo, MPFR_RNDU);
  interval_add(cosine, cosine, &width);
  interval_add(sine, sine, &width);
  interval_clear(&angle);
  interval_clear(&width);
}
