#include "executed_rotary.h"

#include <math.h>

/* x c + y s. */
static double turned(double x, double y, double c, double s, execution *e) {
  const double product = execution_kept(x * c, e);
  if (e->m.fused) return execution_stored(fma(y, s, product), e);
  return execution_stored(product + execution_kept(y * s, e), e);
}

/* As transformers computes it, operation by operation; of no rule by pairs, as nothing is said of those. */
static double slowed(double f, const rotary_scaling *of, execution *e) {
  if (of->factor == 1.0) return f;
  const double slow = execution_computed(f / of->factor, e);
  if (of->high == 0.0) return slow;
  const double wavelength = execution_computed(execution_computed(2.0 * acos(-1.0), e) / f, e);
  const double turns = execution_computed(of->length / wavelength, e);
  const double share = execution_computed(execution_computed(turns - of->low, e) / (of->high - of->low), e);
  if (share <= 0.0) return slow;
  if (share >= 1.0) return f;
  const double rest = execution_computed(execution_computed(1.0 - share, e) * slow, e);
  return execution_computed(rest + execution_computed(share * f, e), e);
}

/* In float64, as transformers has it. */
static double amplitude_of(const rotary_scaling *of) {
  if (of->amplitude > 0.0) return of->amplitude;
  return of->extent > of->length ? sqrt(1.0 + log(of->extent / of->length) / log(of->length)) : 1.0;
}

/* Of a rule with divisors, times its amplitude. */
static double amplified(double x, const rotary_scaling *of, execution *e) {
  return of->divisor == NULL ? x : execution_computed(x * execution_computed(amplitude_of(of), e), e);
}

void executed_rotary(double *y, const step *s, int i, const double *x, execution *e) {
  const rotary_heads *const of = s->of;
  const int dim = of->rule.dim, position = of->token >= 0 ? of->token : i;
  execution single = *e;
  single.m.format = "float32";
  single.m.wide = false;
  for (int c = 0; c < s->cols; c++) {
    const int at = c % of->head_dim;
    if (at >= dim) {
      y[c] = x[c];
      continue;
    }
    const bool halves = of->pairing == ROTARY_HALVES;
    const bool first = halves ? at < dim / 2 : at % 2 == 0;
    const int apart = halves ? dim / 2 : 1, m = halves ? at % (dim / 2) : at / 2;
    const double exponent = execution_computed(2.0 * m / dim, &single);
    const double *const divisor = of->rule.scaling.divisor;
    double power = execution_function(pow(execution_computed(of->rule.base, &single), exponent), &single);
    if (divisor != NULL) power = execution_computed(execution_computed(divisor[m], &single) * power, &single);
    const double frequency = slowed(execution_computed(1.0 / power, &single), &of->rule.scaling, &single);
    const double angle = execution_computed(position * frequency, &single);
    const double cosine =
        execution_stored(amplified(execution_function(cos(angle), &single), &of->rule.scaling, &single), e);
    const double sine =
        execution_stored(amplified(execution_function(sin(angle), &single), &of->rule.scaling, &single), e);
    y[c] = first ? turned(x[c], x[c + apart], cosine, -sine, e) : turned(x[c], x[c - apart], cosine, sine, e);
  }
}
