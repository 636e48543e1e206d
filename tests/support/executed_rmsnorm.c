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

/* gain (x / s), a function for 1 / s or a root and a quotient; fused: x (gain / s). */
void executed_rmsnorm(double *y, const step *s, const double *x, const execution *e) {
  const rmsnorm_weights *const w = s->of;
  const int d = s->cols, way = e->m.grouping / 2 % 3;
  const double square = computed(mean_of_squares(x, d, e) + computed(w->epsilon, e), e);
  const double root = computed(sqrt(square), e);
  const double inverse = way == 0 ? execution_function(1.0 / sqrt(square), e) : computed(1.0 / root, e);
  for (int a = 0; a < d; a++) {
    const double gain = execution_weight(w->gain[a], e);
    const double normal = computed(way == 2 ? x[a] / root : x[a] * inverse, e);
    y[a] = execution_stored(e->m.fused ? x[a] * computed(inverse * gain, e) : normal * gain, e);
  }
}
