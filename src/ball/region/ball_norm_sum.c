#include "ball/region/ball_norm.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"

#include <math.h>
#include <stdlib.h>

/* The unit in which sums of sizes do not overflow. */
static double largest(const double *x, const double *centre, size_t count) {
  double most = 0.0;
  for (size_t k = 0; k < count; k++) most = fmax(most, fabs(ball_norm_offset(x, centre, k)));
  return most;
}

/* MPFR's sum rounds once, of all |e_k| = +-(x_k - c_k): upward, and not at all where the sum is a double. */
static double length_upward(const double *x, const double *centre, size_t count) {
  mpfr_t *const part = malloc((2 * count + 1) * sizeof *part);
  mpfr_ptr *const all = malloc((2 * count + 1) * sizeof(void *));
  double length = INFINITY; /* without memory: not known to be inside */
  if (part != NULL && all != NULL) {
    for (size_t k = 0; k < 2 * count; k++) {
      const double from = centre != NULL ? centre[k / 2] : 0.0, at = x[k / 2];
      mpfr_init2(part[k], 53);
      mpfr_set_d(part[k], k % 2 == 0 ? fmax(at, from) : -fmin(at, from), MPFR_RNDN);
      if (isnan(at) || isnan(from)) mpfr_set_nan(part[k]);
      all[k] = part[k];
    }
    mpfr_init2(part[2 * count], 53);
    mpfr_sum(part[2 * count], all, 2 * count, MPFR_RNDU);
    length = mpfr_get_d(part[2 * count], MPFR_RNDU);
    for (size_t k = 0; k <= 2 * count; k++) mpfr_clear(part[k]);
  }
  free(all);
  free(part);
  return length;
}

/* The t >= 0 with sum_k max(size_k - t, 0) = room, of sizes whose sum is more: t grows from step to step, as sizes that
 * are below it drop out, until none does (Michelot, 1986). Sizes by a function, in units of their largest. */
typedef struct {
  const double *slope, *x, *centre;
  double unit;
} sizes;

typedef double size_of(const sizes *s, size_t k, bool *counts);

/* counts: also where it is below t. With roundings, too, it ends: every turn has fewer sizes than the one before. */
static double threshold(const sizes *s, size_of *size, size_t count, double room) {
  double t = -INFINITY;
  for (size_t before = count + 1;;) {
    double sum = 0.0;
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
      bool always = false;
      const double one = size(s, k, &always);
      if (!always && !(one > t)) continue;
      sum += one;
      kept++;
    }
    if (kept == 0 || kept >= before) return t;
    t = (sum - room) / (double)kept;
    before = kept;
  }
}

static double offset_size(const sizes *s, size_t k, bool *always) {
  (void)always;
  return fabs(ball_norm_offset(s->x, s->centre, k)) / s->unit;
}

/* Every |e_k| is shortened by t, to 0 where it is less. */
static void project(double *x, const double *centre, size_t count, double radius) {
  const sizes s = {NULL, x, centre, largest(x, centre, count)};
  double sum = 0.0;
  if (!(s.unit > 0.0 && s.unit < INFINITY)) return;
  for (size_t k = 0; k < count; k++) sum += offset_size(&s, k, NULL);
  if (!(sum > radius / s.unit)) return;
  const double t = threshold(&s, offset_size, count, radius / s.unit);
  for (size_t k = 0; k < count; k++) {
    const double e = ball_norm_offset(x, centre, k), left = fabs(e) / s.unit - t;
    x[k] = (centre != NULL ? centre[k] : 0.0) + (left > 0.0 ? copysign(left * s.unit, e) : 0.0);
  }
}

static double slope_size(const sizes *s, size_t k, bool *always) {
  const double e = ball_norm_offset(s->x, s->centre, k);
  *always = e != 0.0;
  return (*always ? s->slope[k] * copysign(1.0, e) : fabs(s->slope[k])) / s->unit;
}

/* Directions s stay inside where sum_k sign(e_k) s_k over e_k != 0 and |s_k| over the others is at most 0. The nearest
 * one to the slope: t less along sign(e_k), and each of the others shortened by t. */
static void keep_tangent(double *slope, const double *x, const double *centre, size_t count, double radius) {
  const sizes s = {slope, x, centre, largest(slope, NULL, count)};
  double t;
  if (!(s.unit > 0.0 && s.unit < INFINITY && length_upward(x, centre, count) >= radius * (1.0 - 1e-9))) return;
  t = threshold(&s, slope_size, count, 0.0) * s.unit;
  if (!(t > 0.0)) return;
  for (size_t k = 0; k < count; k++) {
    const double e = ball_norm_offset(x, centre, k);
    slope[k] = e != 0.0 ? slope[k] - copysign(t, e) : copysign(fmax(fabs(slope[k]) - t, 0.0), slope[k]);
  }
}

/* A vertex, along the largest slope. */
static bool steepest(double *slope, size_t count) {
  size_t most = 0;
  for (size_t k = 1; k < count; k++) {
    if (fabs(slope[k]) > fabs(slope[most])) most = k;
  }
  if (!(fabs(slope[most]) > 0.0)) return false;
  for (size_t k = 0; k < count; k++) slope[k] = k == most ? copysign(1.0, slope[k]) : 0.0;
  return true;
}

/* max_k |slope_k| */
static void dual(interval *norm, const interval *slope, size_t count, interval_scratch *ws) {
  interval negative;
  (void)ws;
  interval_init(&negative, mpfr_get_prec(norm->lo));
  interval_set_zero(norm);
  for (size_t k = 0; k < count; k++) {
    interval_neg(&negative, &slope[k]);
    interval_max(norm, norm, &slope[k]);
    interval_max(norm, norm, &negative);
  }
  interval_clear(&negative);
}

static unsigned long squared_reach(size_t count) {
  (void)count;
  return 1;
}

const ball_norm ball_norm_sum = {"1", length_upward, project, keep_tangent, steepest, dual, squared_reach};
