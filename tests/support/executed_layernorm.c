#include "executed_layernorm.h"

#include <math.h>
#include <string.h>

/* Of n entries: their mean, and the sum of their squares around it. */
typedef struct {
  int n;
  double mean, squares;
} part;

static double computed(double x, const execution *e) {
  return execution_computed(x, e);
}

static part of_centered(const double *x, int d, const execution *e) {
  double term[EXECUTED_COLUMNS];
  memcpy(term, x, (size_t)d * sizeof *term);
  const double mean = computed(execution_sum(term, d, e) / d, e);
  for (int a = 0; a < d; a++) {
    const double c = computed(x[a] - mean, e);
    term[a] = computed(c * c, e);
  }
  return (part){d, mean, execution_sum(term, d, e)};
}

static part of_updates(const double *x, int d, const execution *e) {
  part p = {0};
  for (int a = 0; a < d; a++) {
    const double before = computed(x[a] - p.mean, e), weight = computed(1.0 / ++p.n, e);
    p.mean = computed(p.mean + computed(before * weight, e), e);
    p.squares = computed(p.squares + computed(before * computed(x[a] - p.mean, e), e), e);
  }
  return p;
}

/* b merged into a, whichever is larger. */
static part merged(part a, part b, const execution *e) {
  const int n = a.n + b.n;
  const double apart = computed(b.mean - a.mean, e), weight = computed((double)b.n / n, e);
  double mean = computed(a.mean + computed(apart * weight, e), e);
  if (e->m.moments == MOMENTS_WEIGHED) {
    const double of_a = computed(computed((double)a.n * computed(1.0 / n, e), e) * a.mean, e);
    const double of_b = computed(computed((double)b.n * computed(1.0 / n, e), e) * b.mean, e);
    mean = computed(of_a + of_b, e);
  }
  const double between = computed(computed(computed(apart * apart, e) * weight, e) * a.n, e);
  return (part){n, mean, computed(computed(a.squares + b.squares, e) + between, e)};
}

static part in_halves(const double *x, int d, const execution *e) {
  if (d <= 3) return of_centered(x, d, e);
  const int half = (d + 1) / 2;
  return merged(in_halves(x, half, e), in_halves(x + half, d - half, e), e);
}

/* What four lanes leave over comes first: each lane is added to that and those before. */
static part in_lanes(const double *x, int d, const execution *e) {
  const int lane = d / 4, rest = d - 4 * lane;
  part p = of_updates(x, rest, e);
  for (int k = 0; k < 4 && lane > 0; k++) {
    const part of_lane = of_updates(x + rest + k * lane, lane, e);
    p = p.n > 0 ? merged(p, of_lane, e) : of_lane;
  }
  return p;
}

static part moments(const double *x, int d, const execution *e) {
  switch (e->m.moments) {
  case MOMENTS_UPDATES:
    return of_updates(x, d, e);
  case MOMENTS_WEIGHED:
  case MOMENTS_HALVES:
    return in_halves(x, d, e);
  case MOMENTS_LANES:
    return in_lanes(x, d, e);
  default:
    return of_centered(x, d, e);
  }
}

static double variance_of(const double *x, int d, const part *p, const execution *e) {
  double term[EXECUTED_COLUMNS];
  if (e->m.moments != MOMENTS_SQUARES) return computed(p->squares / d, e);
  for (int a = 0; a < d; a++) term[a] = computed(x[a] * x[a], e);
  const double of_squares = computed(execution_sum(term, d, e) / d, e);
  return fmax(0.0, computed(of_squares - computed(p->mean * p->mean, e), e));
}

/* gain (x - mean) / s + bias; fused: gain (x / s - mean / s) + bias, or x (gain / s) + (bias - mean (gain / s)). */
void executed_layernorm(double *y, const step *s, const double *x, const execution *e) {
  const layernorm_weights *const w = s->of;
  const int d = s->cols;
  const part p = moments(x, d, e);
  const double variance = computed(variance_of(x, d, &p, e) + computed(w->epsilon, e), e);
  const double inverse = execution_function(1.0 / sqrt(variance), e), shift = computed(p.mean * inverse, e);
  for (int a = 0; a < d; a++) {
    const double gain = execution_weight(w->gain[a], e), bias = execution_weight(w->bias[a], e);
    const double apart = computed(computed(x[a] * inverse, e) - shift, e), scale = computed(inverse * gain, e);
    const double normal = e->m.fused ? apart : computed(computed(x[a] - p.mean, e) * inverse, e);
    const double folded = computed(computed(x[a] * scale, e) + computed(bias - computed(p.mean * scale, e), e), e);
    const double plain = computed(computed(normal * gain, e) + bias, e);
    y[a] = execution_stored(e->m.fused && e->m.grouping % 2 == 1 ? folded : plain, e);
  }
}
