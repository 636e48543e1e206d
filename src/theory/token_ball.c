/* The centre is a proposal in plain double (M. Badoiu, K. Clarkson, Smaller core-sets for balls, SODA 2003: step t goes
 * the 1/(t+1)-th part of the way to the farthest token); the radius is then certified for whatever centre came out. */
#include "theory/token_ball.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "linalg/rounding/binary_exponent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the radius, certified --------------------------------------------------------------------------------------- */

enum { PRECISION = 128 };

/* distance2 := ||x - centre||^2. */
static void enclose_squared_distance(interval *distance2, const double *x, const double *centre, size_t d, interval *t,
                                     interval_scratch *ws) {
  interval_set_zero(distance2);
  for (size_t c = 0; c < d; c++) {
    interval_set_d(t, x[c]);
    if (centre != NULL) {
      interval_set_d(&ws->q, centre[c]);
      interval_sub(t, t, &ws->q);
    }
    interval_sqr(t, t, ws);
    interval_add(distance2, distance2, t);
  }
}

double token_ball_radius(const attcert_matrix *x, const double *centre) {
  const size_t d = (size_t)x->cols;
  interval largest, distance2, t;
  interval_scratch ws;
  interval_init(&largest, PRECISION);
  interval_init(&distance2, PRECISION);
  interval_init(&t, PRECISION);
  interval_scratch_init(&ws, PRECISION);
  for (int i = 0; i < x->rows; i++) {
    enclose_squared_distance(&distance2, x->data + (size_t)i * d, centre, d, &t, &ws);
    interval_max(&largest, &largest, &distance2);
  }
  interval_sqrt(&largest, &largest);
  const double radius = interval_get_d_upper(&largest);
  interval_scratch_clear(&ws);
  interval_clear(&t);
  interval_clear(&distance2);
  interval_clear(&largest);
  return radius;
}

/* ---- the centre, proposed ---------------------------------------------------------------------------------------- */

/* Index of the token farthest from the centre. */
static size_t farthest(const double *x, const double *centre, size_t n, size_t d) {
  size_t index = 0;
  double largest = -1.0;
  for (size_t i = 0; i < n; i++) {
    double distance2 = 0.0;
    for (size_t c = 0; c < d; c++) distance2 += (x[i * d + c] - centre[c]) * (x[i * d + c] - centre[c]);
    if (distance2 > largest) {
      largest = distance2;
      index = i;
    }
  }
  return index;
}

attcert_status token_ball_centre(double *centre, const attcert_matrix *x, attcert_error *err) {
  enum { STEPS = 500 }; /* the radius comes out within a few percent of the least */
  const size_t n = (size_t)x->rows, d = (size_t)x->cols;
  const long exponent = exponent_of_doubles(x->data, n * d);
  memset(centre, 0, d * sizeof(double));
  if (exponent == EXPONENT_OF_ZERO) return ATTCERT_OK;
  /* Entries at most 1, so that no square overflows. */
  double *const scaled = array_new(ARRAY_COUNT(n, d), sizeof *scaled, err, "a copy of %d tokens", x->rows);
  if (scaled == NULL) return ATTCERT_RESOURCE;
  for (size_t i = 0; i < n * d; i++) scaled[i] = scale_double(x->data[i], -exponent);
  memcpy(centre, scaled, d * sizeof(double));
  for (int t = 1; t <= STEPS; t++) {
    const double *const token = scaled + farthest(scaled, centre, n, d) * d;
    for (size_t c = 0; c < d; c++) centre[c] += (token[c] - centre[c]) / (t + 1.0);
  }
  for (size_t c = 0; c < d; c++) centre[c] = scale_double(centre[c], exponent);
  free(scaled);
  return ATTCERT_OK;
}
