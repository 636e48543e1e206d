#include "network/step_normalize.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"

void step_normalize(interval *z, int n, double epsilon, step_scratch *scratch) {
  interval *const s = &scratch->t[0], *const d = &scratch->t[1], *const t = &scratch->t[2];
  interval_set_si(d, n);
  interval_set_zero(s);
  for (int a = 0; a < n; a++) {
    interval_sqr(t, &z[a], &scratch->ws);
    interval_add(s, s, t);
  }
  interval_div(s, s, d, &scratch->ws);
  interval_set_d(t, epsilon);
  interval_add(s, s, t);
  interval_sqrt(s, s);
  for (int a = 0; a < n; a++) interval_div(&z[a], &z[a], s, &scratch->ws);
}

void step_normalize_gain(interval *g, const double *gain, const interval *dy, int n, step_scratch *scratch) {
  interval *const t = &scratch->t[4];
  for (int a = 0; a < n; a++) {
    interval_set_d(t, gain[a]);
    interval_mul(&g[a], t, &dy[a], &scratch->ws);
  }
}

void step_normalize_back(interval *dx, const interval *z, const interval *g, int n, step_scratch *scratch) {
  const interval *const s = &scratch->t[0], *const d = &scratch->t[1], *const sum = &scratch->t[2];
  interval *const along = &scratch->t[3], *const t = &scratch->t[4];
  interval_dot(along, z, g, (size_t)n, &scratch->ws);
  for (int a = 0; a < n; a++) {
    interval_fma(t, &z[a], along, sum, &scratch->ws);
    interval_div(t, t, d, &scratch->ws);
    interval_sub(t, &g[a], t);
    interval_div(t, t, s, &scratch->ws);
    interval_add(&dx[a], &dx[a], t);
  }
}
