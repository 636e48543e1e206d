/* g(t) = phi(t) - slope t. */
#include "robust/range/range_line_extremes.h"

typedef struct {
  const range_curve *curve;
  double slope;
} difference;

static range difference_at(const difference *g, double t) {
  return range_sub(g->curve->value(t), range_scale(range_of(t), g->slope));
}

/* g(s) + g'(s) (t - s) for a <= t <= b. */
static range tangent_over(const difference *g, double s, double a, double b) {
  range value;
  const range slope = range_sub(g->curve->tangent(s, &value), range_of(g->slope));
  const range reach = {range_down(a - s), range_up(b - s)};
  return range_add(range_sub(value, range_scale(range_of(s), g->slope)), range_mul(slope, reach));
}

double range_line_critical(const range_curve *curve, double slope, double a, double b) {
  double (*const estimate)(double) = curve->slope_estimate;
  const bool rising = estimate(b) >= estimate(a);
  double lo = a, hi = b;
  for (int i = 0; i < 60 && lo < hi; i++) {
    const double middle = 0.5 * lo + 0.5 * hi;
    if ((estimate(middle) < slope) == rising)
      lo = middle;
    else
      hi = middle;
  }
  return hi >= b ? b : lo <= a ? a : 0.5 * lo + 0.5 * hi;
}

/* Over a piece without a bend inside. */
static range extremes_of_piece(const difference *g, double a, double b, bool convex) {
  const range ends = range_hull(difference_at(g, a), difference_at(g, b));
  const range line = tangent_over(g, range_line_critical(g->curve, g->slope, a, b), a, b);
  if (convex) return (range){range_smaller(ends.lo, line.lo), ends.hi};
  return (range){ends.lo, range_larger(ends.hi, line.hi)};
}

/* Over a <= t <= b within the range of a bend: g(a) + g'(a) (t - a) + phi'' (t - a)^2 / 2. */
static range extremes_of_bend(const difference *g, double a, double b) {
  const double width = range_up(b - a), curved = range_up(range_up(width * width) * g->curve->second_derivative);
  return range_add(tangent_over(g, a, a, b), (range){-curved, curved});
}

/* Of a curve made of lines: the ends and the places where it bends. */
static range extremes_of_lines(const difference *g, double lo, double hi) {
  range all = range_hull(difference_at(g, lo), difference_at(g, hi));
  for (int i = 0; i < g->curve->bends; i++) {
    const double bend = g->curve->bend[i].lo;
    if (lo < bend && bend < hi) all = range_hull(all, difference_at(g, bend));
  }
  return all;
}

range range_line_extremes(const range_curve *curve, double slope, double lo, double hi) {
  const difference of = {curve, slope}, *const g = &of;
  if (lo == hi) return difference_at(g, lo);
  if (curve->straight) return extremes_of_lines(g, lo, hi);
  range all = {INFINITY, -INFINITY}; /* empty: the pieces, of positive lengths, cover lo <= t <= hi */
  bool convex = g->curve->convex_first;
  double from = lo;
  for (int i = 0; i < g->curve->bends; i++, convex = !convex) {
    const range bend = g->curve->bend[i];
    if (from < bend.lo) all = range_hull(all, extremes_of_piece(g, from, fmin(hi, bend.lo), convex));
    from = fmax(from, fmin(hi, bend.lo));
    if (hi <= bend.lo) return all;
    if (from < bend.hi) all = range_hull(all, extremes_of_bend(g, from, fmin(hi, bend.hi)));
    from = fmax(from, fmin(hi, bend.hi));
    if (hi <= bend.hi) return all;
  }
  return range_hull(all, extremes_of_piece(g, from, hi, convex));
}
