/* The norm that bounds a segment of numbers, as searches, membership and bounds need it. Below, e = x - centre are
 * `count` numbers (centre NULL: 0) and ||e|| is the norm. */
#ifndef ATTCERT_BALL_REGION_BALL_NORM_H
#define ATTCERT_BALL_REGION_BALL_NORM_H

#include "interval/interval.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *name; /* as --norm has it */

  /* A double >= ||e||. */
  double (*length_upward)(const double *x, const double *centre, size_t count);

  /* x := about the nearest point with ||e|| <= radius. In double: it may end up a rounding outside. */
  void (*project)(double *x, const double *centre, size_t count, double radius);

  /* Takes from a slope at x what points out of ||e|| <= radius, where x is about as far: projection would undo it. */
  void (*keep_tangent)(double *slope, const double *x, const double *centre, size_t count, double radius);

  /* slope := about the e with ||e|| = 1 and the largest slope . e. False, and slope as it was, where there is none. */
  bool (*steepest)(double *slope, size_t count);

  /* dual contains the largest slope . e with ||e|| <= 1. */
  void (*dual)(interval *dual, const interval *slope, size_t count, interval_scratch *ws);

  /* The largest sum of squares of an e with ||e|| <= 1. */
  unsigned long (*squared_reach)(size_t count);
} ball_norm;

extern const ball_norm ball_norm_euclidean; /* (sum_k e_k^2)^{1/2} */
extern const ball_norm ball_norm_maximum;   /* max_k |e_k| */
extern const ball_norm ball_norm_sum;       /* sum_k |e_k| */

static inline double ball_norm_offset(const double *x, const double *centre, size_t k) {
  return centre == NULL ? x[k] : x[k] - centre[k];
}

/* x := centre + e / divisor * factor. */
void ball_norm_scale(double *x, const double *centre, size_t count, double divisor, double factor);

#endif
