#include "ball/region/ball_norm.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "linalg/norm/euclidean_norm.h"
#include "theory/token_ball.h"

#include <math.h>

/* In double, without overflow or underflow on the way. */
static double length(const double *x, const double *centre, size_t count) {
  double scale = 0.0, sum = 0.0;
  for (size_t k = 0; k < count; k++) scale = fmax(scale, fabs(ball_norm_offset(x, centre, k)));
  if (!(scale > 0.0)) return scale;
  for (size_t k = 0; k < count; k++) {
    const double part = ball_norm_offset(x, centre, k) / scale;
    sum += part * part;
  }
  return scale * sqrt(sum);
}

static double length_upward(const double *x, const double *centre, size_t count) {
  const attcert_matrix token = {1, (int)count, (double *)x};
  return token_ball_radius(&token, centre);
}

static void project(double *x, const double *centre, size_t count, double radius) {
  const double from = length(x, centre, count);
  /* Two factors: radius / length may be below the normal doubles when neither of them is. */
  if (from > radius) ball_norm_scale(x, centre, count, from, radius);
}

static void keep_tangent(double *slope, const double *x, const double *centre, size_t count, double radius) {
  const double from = length(x, centre, count) / radius;
  double outward = 0.0; /* e / radius: no overflow */
  if (!(from >= 1.0 - 1e-9)) return;
  for (size_t k = 0; k < count; k++) outward += slope[k] * (ball_norm_offset(x, centre, k) / radius);
  if (!(outward > 0.0)) return;
  for (size_t k = 0; k < count; k++) slope[k] -= outward / (from * from) * (ball_norm_offset(x, centre, k) / radius);
}

static bool steepest(double *slope, size_t count) {
  return euclidean_normalize(slope, (int)count);
}

static void dual(interval *norm, const interval *slope, size_t count, interval_scratch *ws) {
  interval square;
  interval_init(&square, mpfr_get_prec(norm->lo));
  interval_set_zero(norm);
  for (size_t k = 0; k < count; k++) {
    interval_sqr(&square, &slope[k], ws);
    interval_add(norm, norm, &square);
  }
  interval_sqrt(norm, norm);
  interval_clear(&square);
}

static unsigned long squared_reach(size_t count) {
  (void)count;
  return 1;
}

const ball_norm ball_norm_euclidean = {"2", length_upward, project, keep_tangent, steepest, dual, squared_reach};
