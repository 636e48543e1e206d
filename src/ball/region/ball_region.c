#include "ball/region/ball_region.h"

#include "theory/token_ball.h"

#include <math.h>
#include <string.h>

/* Tokens [first, last) that one radius binds: all of them, or one. Their numbers lie one after the other. */
typedef struct {
  int first, last;
} group;

static group group_from(const ball_region *r, int first, int n) {
  return (group){first, r->kind == BALL_SEQUENCE ? n : first + 1};
}

static double *token_at(const attcert_matrix *x, int i) {
  return x->data + (size_t)i * (size_t)x->cols;
}

static const double *centre_at(const attcert_matrix *centre, int i) {
  return centre != NULL ? token_at(centre, i) : NULL;
}

static size_t numbers(const attcert_matrix *x, group g) {
  return (size_t)(g.last - g.first) * (size_t)x->cols;
}

/* Coordinate k of what a token is away from its centre. */
static double offset(const double *token, const double *centre, size_t k) {
  return centre == NULL ? token[k] : token[k] - centre[k];
}

/* Every token := centre + (token - centre) / divisor * factor. */
static void scale_offsets(attcert_matrix *x, const attcert_matrix *centre, group g, double divisor, double factor) {
  double *const token = token_at(x, g.first);
  const double *const middle = centre_at(centre, g.first);
  for (size_t k = 0; k < numbers(x, g); k++) {
    const double scaled = offset(token, middle, k) / divisor * factor;
    token[k] = middle == NULL ? scaled : middle[k] + scaled;
  }
}

/* The length of the offsets, in double without overflow or underflow on the way. */
static double distance(const attcert_matrix *x, const attcert_matrix *centre, group g) {
  const double *const token = token_at(x, g.first), *const middle = centre_at(centre, g.first);
  double scale = 0.0, sum = 0.0;
  for (size_t k = 0; k < numbers(x, g); k++) scale = fmax(scale, fabs(offset(token, middle, k)));
  if (!(scale > 0.0)) return scale;
  for (size_t k = 0; k < numbers(x, g); k++) {
    const double part = offset(token, middle, k) / scale;
    sum += part * part;
  }
  return scale * sqrt(sum);
}

static void return_to_centre(attcert_matrix *x, const attcert_matrix *centre, group g) {
  const size_t bytes = numbers(x, g) * sizeof(double);
  if (centre != NULL)
    memcpy(token_at(x, g.first), token_at(centre, g.first), bytes);
  else
    memset(token_at(x, g.first), 0, bytes);
}

void ball_region_project(attcert_matrix *x, const attcert_matrix *centre, const ball_region *r) {
  for (int i = 0; i < x->rows; i++) {
    if (!ball_region_moves(r, i)) return_to_centre(x, centre, (group){i, i + 1});
  }
  for (group g = group_from(r, 0, x->rows); g.first < x->rows; g = group_from(r, g.last, x->rows)) {
    const double length = distance(x, centre, g);
    /* Two factors: radius / length may be below the normal doubles when neither of them is. */
    if (length > r->radius) scale_offsets(x, centre, g, length, r->radius);
  }
}

/* ---- slopes ------------------------------------------------------------------------------------------------------ */

void ball_region_keep_moving(double *slope, int n, int d, const ball_region *r) {
  for (int i = 0; i < n; i++) {
    if (!ball_region_moves(r, i)) memset(slope + (size_t)i * (size_t)d, 0, (size_t)d * sizeof *slope);
  }
}

/* For tokens on their sphere; `length` is their distance over the radius. */
static void remove_outward(double *slope, const attcert_matrix *x, const attcert_matrix *centre, group g, double radius,
                           double length) {
  const double *const token = token_at(x, g.first), *const middle = centre_at(centre, g.first);
  double *const s = slope + (size_t)g.first * (size_t)x->cols;
  double outward = 0.0; /* offsets / radius: no overflow */
  for (size_t k = 0; k < numbers(x, g); k++) outward += s[k] * (offset(token, middle, k) / radius);
  if (!(outward > 0.0)) return;
  for (size_t k = 0; k < numbers(x, g); k++) s[k] -= outward / (length * length) * (offset(token, middle, k) / radius);
}

void ball_region_keep_tangent(double *slope, const attcert_matrix *x, const attcert_matrix *centre,
                              const ball_region *r) {
  ball_region_keep_moving(slope, x->rows, x->cols, r);
  for (group g = group_from(r, 0, x->rows); g.first < x->rows; g = group_from(r, g.last, x->rows)) {
    const double length = distance(x, centre, g) / r->radius;
    if (length >= 1.0 - 1e-9) remove_outward(slope, x, centre, g, r->radius, length);
  }
}

/* ---- membership -------------------------------------------------------------------------------------------------- */

/* A double >= the length of the offsets. */
static double distance_upward(const attcert_matrix *x, const attcert_matrix *centre, group g) {
  const attcert_matrix tokens = {1, (g.last - g.first) * x->cols, token_at(x, g.first)};
  return token_ball_radius(&tokens, centre_at(centre, g.first));
}

static bool token_stays(const attcert_matrix *x, const attcert_matrix *centre, const ball_region *r, int i) {
  return ball_region_moves(r, i) || distance_upward(x, centre, (group){i, i + 1}) == 0.0;
}

void ball_region_enter(attcert_matrix *x, const attcert_matrix *centre, const ball_region *r) {
  for (int i = 0; i < x->rows; i++) {
    if (!token_stays(x, centre, r, i)) return_to_centre(x, centre, (group){i, i + 1});
  }
  for (group g = group_from(r, 0, x->rows); g.first < x->rows; g = group_from(r, g.last, x->rows)) {
    /* The step doubles up to 1, for tokens far outside and for denormal numbers, which small factors round back. */
    for (double step = 0x1p-53; !(distance_upward(x, centre, g) <= r->radius); step *= 2.0) {
      if (step < 1.0)
        scale_offsets(x, centre, g, 1.0, 1.0 - step);
      else
        return_to_centre(x, centre, g);
    }
  }
}
