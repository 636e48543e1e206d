#include "executed_arithmetic.h"

#include <math.h>
#include <string.h>

/* To nearest, ties to even; what is below the normal range on its grid. */
static double rounded(double x, int bits, int least) {
  int exponent;
  if (x == 0.0 || !isfinite(x)) return x;
  frexp(x, &exponent);
  const int last = exponent - bits < least ? least : exponent - bits;
  return ldexp(nearbyint(ldexp(x, -last)), last);
}

execution execution_begin(const executed_manner *m) {
  return (execution){*m, random_source_make(23, 4, (uint64_t)m->grouping)};
}

double execution_computed(double x, const execution *e) {
  return e->m.wide ? x : rounded(x, 24, -149);
}

double execution_weight(double x, const execution *e) {
  double z = execution_computed(x, e);
  if (strcmp(e->m.format, "bfloat16") == 0) z = rounded(x, 8, -133);
  if (strcmp(e->m.format, "float16") == 0) z = rounded(x, 11, -24);
  return strcmp(e->m.format, "float16") == 0 && fabs(z) > 65504.0 ? copysign(INFINITY, z) : z;
}

double execution_stored(double x, const execution *e) {
  return execution_weight(execution_computed(x, e), e);
}

double execution_kept(double x, execution *e) {
  const bool stores = e->m.stores == STORES_SOME ? random_chance(&e->r, 0.5) : e->m.stores == STORES_ALL;
  return stores ? execution_stored(x, e) : execution_computed(x, e);
}

double execution_constant(double x, execution *e) {
  const double near = execution_computed(x, e);
  int exponent;
  if (!e->m.off || e->m.wide || near == x) return execution_kept(near, e);
  frexp(near, &exponent);
  return execution_kept(near + copysign(ldexp(1.0, exponent - 24), x - near), e);
}

double execution_function(double y, const execution *e) {
  const double near = execution_computed(y, e);
  int exponent;
  if (near == 0.0 || !isfinite(near)) return near;
  frexp(near, &exponent);
  const double unit = ldexp(EXECUTED_ULP - 1.0, exponent - (e->m.wide ? 53 : 24));
  return execution_computed(near + e->m.wrong * unit, e);
}

double execution_sum(double *term, int count, const execution *e) {
  double total = 0.0;
  if (e->m.order != 2) {
    for (int k = 0; k < count; k++) total = execution_computed(total + term[e->m.order == 1 ? count - 1 - k : k], e);
    return total;
  }
  while (count > 1) {
    for (int k = 0; k < count / 2; k++) term[k] = execution_computed(term[2 * k] + term[2 * k + 1], e);
    if (count % 2 == 1) term[count / 2] = term[count - 1];
    count = (count + 1) / 2;
  }
  return count == 1 ? term[0] : 0.0;
}

double execution_dot(const double *a, const double *b, int stride, int count, const execution *e) {
  double term[EXECUTED_COLUMNS], total = 0.0;
  for (int k = 0; k < count; k++) term[k] = execution_computed(a[k] * b[k * stride], e);
  if (e->m.order < 3) return execution_sum(term, count, e);
  for (int k = 0; k < count; k++) total = execution_computed(fma(a[k], b[k * stride], total), e);
  return total;
}
