#include "ball/region/ball_region.h"

#include "interval/interval_arith.h"
#include "interval/interval_set.h"

#include <math.h>
#include <string.h>

/* The segments of a region: `size` numbers each, of `all`, one after the other. */
typedef struct {
  const ball_norm *norm;
  size_t size, all;
} segments;

static segments segments_of(const ball_region *r, int n, int d) {
  const ball_kind *const kind = ball_region_kind(r);
  const size_t all = (size_t)n * (size_t)d;
  return (segments){kind->norm, kind->each ? (size_t)d : all, all};
}

static const double *from(const attcert_matrix *centre, size_t at) {
  return centre != NULL ? centre->data + at : NULL;
}

static void return_to_centre(attcert_matrix *x, const attcert_matrix *centre, size_t at, size_t count) {
  if (centre != NULL)
    memcpy(x->data + at, centre->data + at, count * sizeof(double));
  else
    memset(x->data + at, 0, count * sizeof(double));
}

static bool moves(const ball_region *r, size_t at, size_t d) {
  return ball_region_moves(r, (int)(at / d)) && ball_region_moves_entry(r, at);
}

static void return_what_stays(attcert_matrix *x, const attcert_matrix *centre, const ball_region *r) {
  const size_t d = (size_t)x->cols, all = (size_t)x->rows * d;
  for (size_t at = 0; at < all; at++) {
    if (!moves(r, at, d)) return_to_centre(x, centre, at, 1);
  }
}

/* ---- a box ------------------------------------------------------------------------------------------------------- */

static void enter_box(attcert_matrix *x, const ball_box *box) {
  const size_t all = (size_t)x->rows * (size_t)x->cols;
  for (size_t at = 0; at < all; at++) x->data[at] = fmin(fmax(x->data[at], box->least[at]), box->most[at]);
}

/* A corner seen from the middle. */
static bool steepest_of_box(double *slope, size_t count, const ball_box *box) {
  bool any = false;
  for (size_t at = 0; at < count; at++) {
    const double half = 0.5 * box->most[at] - 0.5 * box->least[at];
    slope[at] = fabs(slope[at]) > 0.0 ? copysign(half, slope[at]) : 0.0;
    any = any || slope[at] != 0.0;
  }
  return any;
}

/* slope := half of the box's width times it. */
static void scale_by_box(interval *slope, size_t count, const ball_box *box, interval_scratch *ws) {
  interval half, least;
  interval_init(&half, mpfr_get_prec(slope[0].lo));
  interval_init(&least, 53);
  for (size_t at = 0; at < count; at++) {
    interval_set_d(&least, box->least[at]);
    interval_set_d(&half, box->most[at]);
    interval_sub(&half, &half, &least);
    interval_scale_2exp(&half, &half, -1);
    interval_mul(&slope[at], &slope[at], &half, ws);
  }
  interval_clear(&least);
  interval_clear(&half);
}

void ball_norm_scale(double *x, const double *centre, size_t count, double divisor, double factor) {
  for (size_t k = 0; k < count; k++) {
    const double scaled = ball_norm_offset(x, centre, k) / divisor * factor;
    x[k] = centre == NULL ? scaled : centre[k] + scaled;
  }
}

/* ---- an input ---------------------------------------------------------------------------------------------------- */

void ball_region_project(attcert_matrix *x, const attcert_matrix *centre, const ball_region *r) {
  const segments s = segments_of(r, x->rows, x->cols);
  if (r->box != NULL) {
    enter_box(x, r->box);
    return;
  }
  return_what_stays(x, centre, r);
  for (size_t at = 0; at < s.all; at += s.size) s.norm->project(x->data + at, from(centre, at), s.size, r->radius);
}

void ball_region_enter(attcert_matrix *x, const attcert_matrix *centre, const ball_region *r) {
  const segments s = segments_of(r, x->rows, x->cols);
  if (r->box != NULL) {
    enter_box(x, r->box);
    return;
  }
  return_what_stays(x, centre, r);
  for (size_t at = 0; at < s.all; at += s.size) {
    double *const part = x->data + at;
    /* The step doubles up to 1, for segments far outside and for denormal numbers, which small factors round back. */
    for (double step = 0x1p-53; !(s.norm->length_upward(part, from(centre, at), s.size) <= r->radius); step *= 2.0) {
      if (step < 1.0)
        ball_norm_scale(part, from(centre, at), s.size, 1.0, 1.0 - step);
      else
        return_to_centre(x, centre, at, s.size);
    }
  }
}

/* ---- slopes ------------------------------------------------------------------------------------------------------ */

static void keep_moving(double *slope, int n, int d, const ball_region *r) {
  const size_t all = (size_t)n * (size_t)d;
  for (size_t at = 0; at < all; at++) {
    if (!moves(r, at, (size_t)d)) slope[at] = 0.0;
  }
}

void ball_region_keep_tangent(double *slope, const attcert_matrix *x, const attcert_matrix *centre,
                              const ball_region *r) {
  const segments s = segments_of(r, x->rows, x->cols);
  keep_moving(slope, x->rows, x->cols, r);
  for (size_t at = 0; at < s.all; at += s.size)
    s.norm->keep_tangent(slope + at, x->data + at, from(centre, at), s.size, r->radius);
}

bool ball_region_steepest(double *slope, int n, int d, const ball_region *r) {
  const segments s = segments_of(r, n, d);
  bool any = false;
  keep_moving(slope, n, d, r);
  if (r->box != NULL) return steepest_of_box(slope, s.all, r->box);
  for (size_t at = 0; at < s.all; at += s.size) any = s.norm->steepest(slope + at, s.size) || any;
  return any;
}

void ball_region_dual_norm(interval *norm, interval *slope, int n, int d, const ball_region *r, interval_scratch *ws) {
  const segments s = segments_of(r, n, d);
  interval part;
  interval_init(&part, mpfr_get_prec(norm->lo));
  interval_set_zero(norm);
  for (size_t k = 0; k < s.all; k++) {
    if (!moves(r, k, (size_t)d)) interval_set_zero(&slope[k]);
  }
  if (r->box != NULL) scale_by_box(slope, s.all, r->box, ws);
  for (size_t at = 0; at < s.all; at += s.size) {
    s.norm->dual(&part, slope + at, s.size, ws);
    interval_add(norm, norm, &part);
  }
  interval_clear(&part);
}

/* ---- the Euclidean ball around it -------------------------------------------------------------------------------- */

ball_region ball_region_hull(const ball_region *r, int n, int d) {
  const ball_kind *const kind = ball_region_kind(r);
  const size_t count = (size_t)(kind->each ? 1 : ball_region_count(r, n)) * (size_t)d;
  ball_region hull = {.kind = kind->each ? BALL_TOKEN : BALL_SEQUENCE, .radius = INFINITY, .moves = r->moves};
  if (r->box != NULL) return hull;
  mpfr_t radius;
  mpfr_init2(radius, 53);
  mpfr_sqrt_ui(radius, kind->norm->squared_reach(count), MPFR_RNDU);
  mpfr_mul_d(radius, radius, r->radius, MPFR_RNDU);
  hull.radius = mpfr_get_d(radius, MPFR_RNDU);
  mpfr_clear(radius);
  return hull;
}
