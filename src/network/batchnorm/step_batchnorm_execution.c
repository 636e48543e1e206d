/* What executing BatchNorm adds. Of a column, with s = sqrt(variance + epsilon), f = weight / s:
 *
 *   s^2 is computed within (gamma_2 |epsilon|) / s^2, epsilon a constant, and a rounding; 1/s from it within e
 *   (step_normalize_inverse, of no other numbers).
 *
 * ((x - mean) / s) weight + bias, the products in any order, and x a + (bias - mean a), a = weight / s, are sums of
 * x f, -mean f and bias. Before the last sum each of these took three more roundings at most: they are off by
 *   ((1 + e) (1 + gamma_3) - 1) ((|x| + |mean|) |f| + |bias|).
 * A result that underflows, of five at most, is multiplied by weight, by f or by x or mean afterwards, and enlarged by
 * 1 + (what is above) <= 2. */
#include "linalg/rounding/upward.h"
#include "network/batchnorm/step_batchnorm.h"
#include "network/step_normalize.h"

/* Of a column. */
typedef struct {
  double mean, weight, bias; /* their sizes */
  double square, inverse;    /* upper bounds of s^2 and 1/s */
  double factor;             /* of |f| */
  double relative;           /* of what each term is off by before the last sum */
} executed_column;

/* s^2 and the root round once each here. */
static executed_column column_of(const step_batchnorm_parameters *of, int c, const step_format *format) {
  const double square = of->variance[c] + of->epsilon, root = sqrt(square) * (1.0 - 4.0 * UNIT_ROUNDOFF);
  const double constant =
      upward_div(upward_mul(step_format_gamma(format, 2.0), fabs(of->epsilon)), square * (1.0 - 4.0 * UNIT_ROUNDOFF));
  const double theta = upward_compound(constant, format->compute.unit);
  executed_column e = {.mean = fabs(of->mean[c]),
                       .weight = of->weight != NULL ? fabs(of->weight[c]) : 1.0,
                       .bias = of->bias != NULL ? fabs(of->bias[c]) : 0.0,
                       .square = upward_add3(square, fabs(of->variance[c]), fabs(of->epsilon)),
                       .inverse = upward_div(1.0, root)};
  e.factor = upward_mul(e.weight, e.inverse);
  e.relative = upward_compound(step_normalize_inverse(root, 1, 0.0, theta, format), step_format_gamma(format, 3.0));
  if (!(e.relative <= 1.0)) e.relative = INFINITY;
  return e;
}

static void execute_entry(form *out, const form *in, int i, int c, const executed_column *e,
                          const step_format *format) {
  const double apart = upward_add(step_execution_size(in, i, c), e->mean);
  const double terms = upward_add(upward_mul(apart, e->factor), e->bias);
  const double factors = upward_add3(e->weight, e->factor, upward_add(apart, 4.0));
  const double error = upward_add(upward_mul(e->relative, terms), upward_mul(4.0 * format->compute.tiny, factors));
  const double scaled = upward_mul(apart, upward_add3(1.0, e->inverse, e->weight));
  const double met = upward_add3(e->square, upward_add(e->inverse, e->factor), upward_add(scaled, terms));
  const double size = step_execution_size(out, i, c);
  step_execution_add(out, i, c, step_execution_rounded(&format->compute, size, error), upward_mul(2.0, met), format);
}

attcert_status step_batchnorm_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                        const step_format *format, attcert_error *err) {
  (void)symbols;
  (void)err;
  for (int c = 0; c < out->cols; c++) {
    const executed_column e = column_of(s->of, c, format);
    for (int i = 0; i < out->rows; i++) execute_entry(out, in[0], i, c, &e, format);
  }
  return ATTCERT_OK;
}
