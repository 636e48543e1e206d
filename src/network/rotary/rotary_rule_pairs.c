#include "network/rotary/rotary_rule.h"

#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "linalg/rounding/upward.h"

#include <math.h>

enum { PAIRS_BITS = 128 };

/* x(turns); t: scratch. */
static void enclose_pair_of_turns(interval *x, interval *t, const rotary_rule *rule, double turns,
                                  interval_scratch *ws) {
  mpfr_const_pi(t->lo, MPFR_RNDD);
  mpfr_const_pi(t->hi, MPFR_RNDU);
  interval_set_d(x, 2.0 * turns);
  interval_mul(t, t, x, ws);
  interval_set_d(x, rule->scaling.length);
  interval_div(x, x, t, ws);
  interval_log(x, x);
  interval_set_si(t, rule->dim);
  interval_mul(x, x, t, ws);
  interval_set_d(t, rule->base);
  interval_log(t, t);
  interval_div(x, x, t, ws);
  interval_scale_2exp(x, x, -1);
}

/* first and last, which are apart. */
static void enclose_ends(interval *first, interval *last, interval *t, const rotary_rule *rule, interval_scratch *ws) {
  enclose_pair_of_turns(first, t, rule, rule->scaling.high, ws);
  enclose_pair_of_turns(last, t, rule, rule->scaling.low, ws);
  if (rule->scaling.whole) {
    mpfr_floor(first->lo, first->lo);
    mpfr_floor(first->hi, first->hi);
    mpfr_ceil(last->lo, last->lo);
    mpfr_ceil(last->hi, last->hi);
  }
  interval_set_zero(t);
  interval_max(first, first, t);
  interval_set_si(t, rule->dim - 1);
  interval_min(last, last, t);
  if (!mpfr_equal_p(first->lo, first->hi) || !mpfr_equal_p(last->lo, last->hi) || !mpfr_equal_p(first->lo, last->lo))
    return;
  interval_set_si(t, 1000);
  interval_set_si(last, 1);
  interval_div(last, last, t, ws);
  interval_add(last, last, first);
}

void rotary_rule_pair_share(interval *s, interval *t, const rotary_rule *rule, int m, interval_scratch *ws) {
  interval first, last;
  interval_init(&first, mpfr_get_prec(s->lo));
  interval_init(&last, mpfr_get_prec(s->lo));
  enclose_ends(&first, &last, t, rule, ws);
  interval_sub(&last, &last, &first);
  interval_set_si(s, m);
  interval_sub(s, s, &first);
  interval_div(s, s, &last, ws);
  interval_set_si(t, 1);
  interval_sub(s, t, s);
  interval_clear(&first);
  interval_clear(&last);
}

/* ---- executed ---------------------------------------------------------------------------------------------------- */

/* x(turns) in float64 is off by less than
 *     E = 2^-44 (dim / (2 log base) + |x|),
 * 2^9 roundings: the logarithm's argument and the logarithms round a few times each. False: where it is rounded to a
 * whole number, one is within E. */
static bool bound_end(double *off, const rotary_rule *rule, double turns, interval_scratch *ws) {
  interval x, t;
  interval_init(&x, PAIRS_BITS);
  interval_init(&t, PAIRS_BITS);
  enclose_pair_of_turns(&x, &t, rule, turns, ws);
  interval_set_d(&t, rule->base);
  interval_log(&t, &t);
  const double size = fmax(fabs(interval_get_d_lower(&x)), fabs(interval_get_d_upper(&x)));
  const double steep = upward_div(0.5 * rule->dim, interval_get_d_lower(&t));
  const double low = interval_get_d_lower(&x), high = interval_get_d_upper(&x);
  *off = upward_mul(0x1p-44, upward_add(steep, size));
  interval_clear(&x);
  interval_clear(&t);
  if (!rule->scaling.whole) return *off < 0x1p-20;
  const bool apart = *off < 0x1p-20 && floor(low - 2.0 * *off) == floor(high + 2.0 * *off);
  *off = 0.0;
  return apart;
}

/* With a = first and D = last - first, each end off by E, and a rounded to the format: what m - a is off, |m - a + n|
 * by n <= E + u (|a| + E), and D relatively by 2 E / D and two roundings; the difference and the quotient r round.
 * Where r is between 0 and 1, it is off by
 *     d = theta + (1 + theta) n / D,   theta of the relative errors,
 * and by no more where it is held there. s = 1 - r and 1 - s round, by u each. What is below 0 or above 1 by more is
 * held there by an execution, too, and then s and 1 - s are exact. */
static double share_off(const rotary_rule *rule, int m, double end, const step_format *format, interval_scratch *ws) {
  interval first, last, t;
  interval_init(&first, PAIRS_BITS);
  interval_init(&last, PAIRS_BITS);
  interval_init(&t, PAIRS_BITS);
  enclose_ends(&first, &last, &t, rule, ws);
  const double least = interval_get_d_lower(&first), most = interval_get_d_upper(&first);
  interval_sub(&last, &last, &first);
  const double apart = interval_get_d_lower(&last), apart_most = interval_get_d_upper(&last);
  interval_clear(&first);
  interval_clear(&last);
  interval_clear(&t);
  const double u = step_format_gamma(format, 1.0), moved = upward_add(end, upward_mul(u, upward_add(most, end)));
  const double of_apart = upward_add(upward_div(upward_mul(2.0, end), apart), step_format_gamma(format, 2.0));
  if (!(apart > 0.0) || !(of_apart < 0.25)) return INFINITY;
  const double theta = upward_compound(step_format_gamma(format, 2.0), upward_inverse(of_apart));
  if (upward_add(m, moved) <= least) return 0.0;
  if (upward_add3(upward_mul(apart_most, 1.0 + 4.0 * theta), moved, most) <= m) return 0.0;
  return upward_add3(theta, upward_mul(1.0 + theta, upward_div(moved, apart)), 2.0 * u);
}

/* f (1 - s) / factor + f s, the former by way of f / factor or 1 / (factor base^e), is at least f / factor, so that s
 * and 1 - s, off by d, make it relatively wrong by (1 + factor) d; six roundings, of the factor too, and what
 * underflows counts for less than one where f / factor is far from that. */
double rotary_rule_pair_error(const rotary_rule *rule, int m, const step_format *format) {
  const rotary_scaling *const scaling = &rule->scaling;
  interval_scratch ws;
  double first, last, off = INFINITY;
  interval_scratch_init(&ws, PAIRS_BITS);
  const bool known = bound_end(&first, rule, scaling->high, &ws) && bound_end(&last, rule, scaling->low, &ws);
  if (known && step_format_holds(format, 0x1p40 * scaling->factor * rule->base))
    off = share_off(rule, m, fmax(first, last), format, &ws);
  interval_scratch_clear(&ws);
  if (!(off < 0.5)) return INFINITY;
  return upward_compound(step_format_gamma(format, 7.0), upward_mul(upward_add(1.0, scaling->factor), off));
}
