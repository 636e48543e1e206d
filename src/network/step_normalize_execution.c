#include "linalg/rounding/upward.h"
#include "network/step_normalize.h"

#include <math.h>

/* The executed root is the exact one of numbers whose norm is off so that the root is off by a factor within tau of 1,
 * and of its square by one within theta. Then
 *   1/s (1 + e),  e <= (1 + tau / (1 - tau)) (1 + theta / 2 + theta^2) (1 + f) (1 + gamma_2) - 1
 * as (1 - theta)^(-1/2) <= 1 + theta / 2 + theta^2 for theta <= 1/2 (its series: 3/8 + 5/16 theta + ... < 1); f or two
 * roundings for the inverse root. What underflows, a number an entry and six more, is at most (24 + 2 n) tiny / s^2
 * where tau <= 1/2. */
double step_normalize_inverse(double root, int n, double tau, double theta, const step_format *format) {
  const double square = root * root * (1.0 - 4.0 * UNIT_ROUNDOFF);
  const double all = upward_add(theta, upward_div((24.0 + 2.0 * n) * format->compute.tiny, square));
  const double of_theta = upward_add(0.5 * all, upward_mul(all, all));
  const double function = upward_compound(step_format_function(format), step_format_gamma(format, 2.0));
  const double error = upward_compound(upward_compound(upward_inverse(tau), of_theta), function);
  return all <= 0.5 ? error : INFINITY;
}

/* The normalised entry y = z_c / s, at most sqrt(n), is off by y e + off / s (1 + e), e the inverse root's error and a
 * rounding, whether gain comes before or after 1 / s; gain, itself off by a factor, and bias round once each. Where z_c
 * = x_c - m and x_c is multiplied by gain / s, and added to bias - m gain / s, that rounds once more, which off covers
 * but for u |bias|. One of six results may underflow, some of them times the gain or y. */
void step_normalize_execute(form *out, int i, int c, int n, double gain, double bias, const step_normalized *z,
                            const step_format *format) {
  const double u = format->compute.unit, factor = fabs(gain), most = round_up_nonnegative(sqrt(n), 1.0);
  const double quotient = upward_div(z->size, z->root), normal = quotient < most ? quotient : most;
  const double e = upward_compound(z->inverse_error, u);
  const double off = upward_div(z->off, z->root);
  const double normal_error = upward_add3(upward_mul(normal, e), off, upward_mul(off, e));
  const double gained = upward_compound(u, z->gain_off);
  const double scaled =
      upward_mul(factor, upward_add(upward_mul(normal_error, upward_add(1.0, gained)), upward_mul(gained, normal)));
  const double factors = upward_add3(upward_mul(4.0, factor), normal, upward_add(z->size, 2.0));
  const double below = upward_mul(2.0 * format->compute.tiny, factors);
  const double error = upward_add3(scaled, upward_mul(u, fabs(bias)), below);
  const double size = step_execution_size(out, i, c);
  const double met = upward_mul(z->met, upward_add3(1.0, factor, fabs(bias)));
  step_execution_add(out, i, c, step_execution_rounded(&format->compute, size, error), met, format);
}
