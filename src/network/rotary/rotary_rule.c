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
  interval_init(&t, 64);
  interval_set_d(&t, base);
  interval_log(&t, &t);
  const double below = -interval_get_d_lower(&t), above = interval_get_d_upper(&t);
  interval_clear(&t);
  return below <= above ? above : below;
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
  return (rotary_rule){.frequency = power, .error = power_error, .base = base, .dim = dim};
}

/* The largest frequency is 1, or near 1 / base: its binary exponent and that of the position are what the angle has
 * before the point, and a few more go to the operations. */
mpfr_prec_t rotary_rule_precision(const rotary_rule *rule, int position, mpfr_prec_t bits) {
  const int above = rule->base < 1.0 ? -ilogb(rule->base) : 0;
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
