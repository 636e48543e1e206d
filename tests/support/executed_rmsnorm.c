#include "executed_rmsnorm.h"

#include <math.h>

static double computed(double x, const execution *e) {
  return execution_computed(x, e);
}

/* A quotient by d, or a product with 1/d, which is rounded to nearest or to the number behind that. */
static double mean_of_squares(const double *x, int d, const execution *e) {
  const double sum = execution_dot(x, x, 1, d, e), near = computed(1.0 / d, e);
  if (e->m.grouping % 2 == 0) return computed(sum / d, e);
  return computed(sum * (e->m.off ? computed(near * (1.0 + ldexp(1.0, e->m.wide ? -52 : -23)), e) : near), e);
}

/* One part: gain (x / s) with x / s kept, a function for 1 / s or a root and a quotient; fused: x (gain / s). */
static void run_part(double *y, const rmsnorm_weights *w, int first, int d, const double *x, execution *e) {
  const int way = e->m.grouping / 2 % 3;
  const double square = computed(mean_of_squares(x, d, e) + computed(w->epsilon, e), e);
  const double root = computed(sqrt(square), e);
  const double inverse = way == 0 ? execution_function(1.0 / sqrt(square), e) : computed(1.0 / root, e);
  for (int a = 0; a < d; a++) {
    const double stored = execution_weight(w->gain[first + a] - (w->from_one ? 1.0 : 0.0), e);
    const double gain = w->from_one ? execution_kept(computed(1.0 + stored, e), e) : stored;
    const double normal = execution_kept(way == 2 ? x[a] / root : x[a] * inverse, e);
    y[a] = execution_stored(e->m.fused ? x[a] * computed(inverse * gain, e) : normal * gain, e);
  }
}

void executed_rmsnorm(double *y, const step *s, const double *x, execution *e) {
  const rmsnorm_weights *const w = s->of;
  const int d = s->cols / w->parts;
  for (int c = 0; c < s->cols; c += d) run_part(y + c, w, c, d, x + c, e);
}
