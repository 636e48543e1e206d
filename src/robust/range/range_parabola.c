/* Slope and square are those of the parabola through the curve at the center and towards both ends, at the Chebyshev
 * nodes; any would do. What is left is enclosed piece by piece: with u = t - center from a to b,
 *
 *   u^2 = (a + b) u - a b - (u - a) (b - u),   0 <= (u - a) (b - u) <= (b - a)^2 / 4,
 *
 * so that phi less the parabola is phi less a line (range_line_extremes.h), and what is known to be small. */
#include "robust/range/range_parabola.h"

#include "robust/range/range_line_extremes.h"

#include <float.h>

enum { PIECES = 16 };
#define NODE 0x1.bb67ae8584caap-1 /* sqrt(3) / 2 */

static range_parabola through_nodes(const range_curve *curve, double lo, double hi, double center) {
  const double right = NODE * (hi - center), left = NODE * (center - lo), middle = curve->estimate(center);
  const double to_right = (curve->estimate(center + right) - middle) / right;
  const double to_left = (middle - curve->estimate(center - left)) / left;
  const double square = (to_right - to_left) / (right + left);
  return (range_parabola){.slope = to_right - square * right, .square = square};
}

/* Of the curve less slope u + square u^2, for from <= t <= to. */
static range rest_of_piece(const range_curve *curve, const range_parabola *p, double center, double from, double to) {
  const range a = range_sub(range_of(from), range_of(center)), b = range_sub(range_of(to), range_of(center));
  const range square = range_of(p->square), width = range_sub(b, a);
  const range slope = range_add(range_of(p->slope), range_mul(square, range_add(a, b)));
  const double line = range_middle(slope), farthest = range_larger(range_magnitude(a), range_magnitude(b));
  const double missed = range_mul_up(range_radius(slope, line), farthest);
  const range along = range_add(range_line_extremes(curve, line, from, to), range_scale(range_of(center), line));
  const range bent = {0.0, range_mul(range_mul(width, width), range_of(0.25)).hi};
  const range parts = range_add(range_mul(square, range_mul(a, b)), range_mul(square, bent));
  return range_add(range_add(along, parts), (range){-missed, missed});
}

range_parabola range_parabola_along(const range_curve *curve, double lo, double hi, double center) {
  static const range_parabola none = {.error = INFINITY};
  if (!(isfinite(lo) && isfinite(hi) && lo <= center && center <= hi)) return none;
  const double least = fmin(hi - center, center - lo);
  if (least <= 0x1p-20 * (fabs(lo) + fabs(hi)) || least < DBL_MIN) return none;
  range_parabola p = through_nodes(curve, lo, hi, center);
  range rest = {INFINITY, -INFINITY};
  for (int k = 0; k < PIECES; k++) {
    const double from = k == 0 ? lo : lo + (hi - lo) * k / PIECES;
    const double to = k + 1 == PIECES ? hi : lo + (hi - lo) * (k + 1) / PIECES;
    rest = range_hull(rest, rest_of_piece(curve, &p, center, from, to));
  }
  p.height = range_middle(rest);
  p.error = range_radius(rest, p.height);
  if (!(isfinite(p.slope) && isfinite(p.square) && isfinite(p.error))) return none;
  return p;
}
