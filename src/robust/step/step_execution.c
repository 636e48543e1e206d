#include "robust/step/step_execution.h"

#include "linalg/rounding.h"

double step_format_gamma(double unit, double m) {
  const double mu = m * unit;
  return mu < 0.5 ? round_up_nonnegative(mu / (1.0 - mu), 4.0) : INFINITY;
}

double step_format_size(const form *f, int i, int c) {
  return round_up_nonnegative(fabs(f->center[(size_t)i * (size_t)f->cols + (size_t)c]) + form_spread(f, i, c), 1.0);
}

void step_format_add(form *f, int i, int c, double error, double largest_met, const step_format *format) {
  double *const radius = &f->radius[(size_t)i * (size_t)f->cols + (size_t)c];
  const double met = step_format_size(f, i, c) + error;
  *radius = round_up_nonnegative(*radius + error, 64.0);
  if (!(met <= 0.99 * format->largest && largest_met <= 0.99 * format->largest)) *radius = INFINITY;
}
