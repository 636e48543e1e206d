#include "network/step_execution.h"

#include "base/arrays.h"
#include "linalg/rounding/upward.h"

void *step_execution_round(const step_weights *weights, int arrays, size_t head, const step_format *format,
                           attcert_error *err) {
  size_t count = 0;
  for (int a = 0; a < arrays; a++) count += *weights[a].array != NULL ? weights[a].count : 0;
  char *const memory = array_new(1, head + count * sizeof(double), err, "%zu rounded weights", count);
  if (memory == NULL) return NULL;
  double *rounded = (double *)(void *)(memory + head);
  for (int a = 0; a < arrays; a++) {
    if (*weights[a].array == NULL) continue;
    for (size_t k = 0; k < weights[a].count; k++) rounded[k] = step_format_nearest(format, (*weights[a].array)[k]);
    *weights[a].array = rounded;
    rounded += weights[a].count;
  }
  return memory;
}

double step_execution_size(const form *f, int i, int c) {
  return upward_add(fabs(f->center[(size_t)i * (size_t)f->cols + (size_t)c]), form_spread(f, i, c));
}

double step_execution_rounded(const float_arithmetic *a, double size, double error) {
  const double met = upward_add(size, error);
  int exponent;
  frexp(met, &exponent);
  return met <= a->largest ? upward_add3(error, ldexp(a->unit, exponent - 1), a->tiny) : INFINITY;
}

double step_execution_stored(const step_format *format, double size, double error) {
  return format->narrows ? step_execution_rounded(&format->store, size, error) : error;
}

void step_summands_add(step_summands *s, double center, double spread) {
  const double above = center + spread, below = spread - center;
  s->terms += fabs(center) + spread;
  if (!(above <= 0.0)) s->positive += above;
  if (!(below <= 0.0)) s->negative += below;
  s->count++;
}

double step_summands_error(double *met, const step_summands *s, double relative, const step_format *format) {
  /* center and spread took a rounding each at most, and each end one more; then its sum */
  const double count = s->count, terms = round_up_nonnegative(s->terms, 2.0 * count + 3.0);
  const double ends = upward_mul(gamma_upper(count + 4.0), terms);
  const double side = s->positive <= s->negative ? s->negative : s->positive;
  const double subset = round_up_nonnegative(side + ends, 2.0 * count), additions = step_format_gamma(format, count);
  const double products = upward_mul(relative, terms);
  const double error = upward_add3(products, upward_mul(additions, subset), upward_mul(additions, products));
  *met = upward_add(terms, error);
  return error;
}

double step_execution_keep(double met, double kept, const step_format *format) {
  return !format->narrows || kept <= format->store.largest ? met : INFINITY;
}

void step_execution_add(form *f, int i, int c, double error, double met, const step_format *format) {
  double *const radius = &f->radius[(size_t)i * (size_t)f->cols + (size_t)c];
  const double size = step_execution_size(f, i, c), largest = format->compute.largest;
  const double stored = step_execution_stored(format, size, error);
  *radius = met <= largest && upward_add(size, error) <= largest ? upward_add(*radius, stored) : INFINITY;
}

attcert_status step_execution_operation(form *out, const struct step *s, const form *const *in,
                                        const form_symbols *symbols, const step_format *format, attcert_error *err) {
  (void)s;
  (void)in;
  (void)symbols;
  (void)err;
  for (int i = 0; i < out->rows; i++) {
    for (int c = 0; c < out->cols; c++) {
      const double size = step_execution_size(out, i, c);
      step_execution_add(out, i, c, step_execution_rounded(&format->compute, size, 0.0), size, format);
    }
  }
  return ATTCERT_OK;
}

void step_execution_input(form *x, const step_format *format) {
  for (int i = 0; i < x->rows; i++) {
    for (int c = 0; c < x->cols; c++) {
      double *const radius = &x->radius[(size_t)i * (size_t)x->cols + (size_t)c];
      const double size = step_execution_size(x, i, c);
      *radius =
          upward_add(*radius, step_execution_stored(format, size, step_execution_rounded(&format->compute, size, 0.0)));
    }
  }
}
