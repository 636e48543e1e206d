#include "executed_rotary.h"

#include <math.h>

/* x c + y s. */
static double turned(double x, double y, double c, double s, execution *e) {
  const double product = execution_kept(x * c, e);
  if (e->m.fused) return execution_stored(fma(y, s, product), e);
  return execution_stored(product + execution_kept(y * s, e), e);
}

/* The number of the pair that turns so often, in float64. */
static double pair_of_turns(const rotary_rule *rule, double turns) {
  return rule->dim * log(rule->scaling.length / (turns * 2.0 * acos(-1.0))) / (2.0 * log(rule->base));
}

/* By the numbers of pairs, as transformers computes it, or from f / factor, as other programs do. */
static double slowed_by_pair(double f, double power, const rotary_rule *rule, int m, execution *e) {
  const rotary_scaling *const of = &rule->scaling;
  double first = pair_of_turns(rule, of->high), last = pair_of_turns(rule, of->low);
  if (of->whole) {
    first = floor(first);
    last = ceil(last);
  }
  first = fmax(first, 0.0);
  last = fmin(last, rule->dim - 1.0);
  if (first == last) last += 0.001;
  const double above = execution_computed(m - execution_computed(first, e), e);
  const double ramp = execution_computed(above / execution_computed(last - first, e), e);
  const double share = execution_computed(1.0 - fmin(fmax(ramp, 0.0), 1.0), e);
  const double factor = execution_computed(of->factor, e);
  const double slow = e->m.grouping % 2 == 0 ? execution_computed(1.0 / execution_computed(factor * power, e), e)
                                             : execution_computed(f / factor, e);
  const double of_slow = execution_computed(slow * execution_computed(1.0 - share, e), e);
  return execution_computed(of_slow + execution_computed(f * share, e), e);
}

/* As transformers computes it, operation by operation. */
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
  if (of->by_pair) return (of->slope > 0.0 ? of->slope : 1.0) * log(of->factor) / 10.0 + 1.0;
  return of->extent > of->length ? sqrt(1.0 + log(of->extent / of->length) / log(of->length)) : 1.0;
}

/* Of a rule with divisors or by pairs, times its amplitude. */
static double amplified(double x, const rotary_scaling *of, execution *e) {
  return of->divisor == NULL && !of->by_pair ? x : execution_computed(x * execution_computed(amplitude_of(of), e), e);
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
      const double still = execution_stored(amplified(1.0, &of->rule.scaling, &single), e);
      y[c] = at < dim + of->rule.still ? turned(x[c], 0.0, still, 0.0, e) : x[c];
      continue;
    }
    const bool halves = of->pairing == ROTARY_HALVES;
    const bool first = halves ? at < dim / 2 : at % 2 == 0;
    const int apart = halves ? dim / 2 : 1, m = halves ? at % (dim / 2) : at / 2;
    const double exponent = execution_computed(2.0 * m / dim, &single);
    const double *const divisor = of->rule.scaling.divisor;
    double power = execution_function(pow(execution_computed(of->rule.base, &single), exponent), &single);
    if (divisor != NULL) power = execution_computed(execution_computed(divisor[m], &single) * power, &single);
    const double quick = execution_computed(1.0 / power, &single);
    const double frequency = of->rule.scaling.by_pair ? slowed_by_pair(quick, power, &of->rule, m, &single)
                                                      : slowed(quick, &of->rule.scaling, &single);
    const double angle = execution_computed(position * frequency, &single);
    const double cosine =
        execution_stored(amplified(execution_function(cos(angle), &single), &of->rule.scaling, &single), e);
    const double sine =
        execution_stored(amplified(execution_function(sin(angle), &single), &of->rule.scaling, &single), e);
    y[c] = first ? turned(x[c], x[c + apart], cosine, -sine, e) : turned(x[c], x[c - apart], cosine, sine, e);
  }
}
