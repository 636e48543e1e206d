/* What executing BatchNorm adds. Of a column, with s = sqrt(variance + epsilon), f = weight / s:
 *
 *   s^2 is computed within (gamma_2 |epsilon|) / s^2, epsilon a constant, and a rounding; 1/s from it within e
 *   (step_normalize_inverse, of no other numbers), and weight / s within e' = (1 + e) (1 + u) - 1.
 *
 * ((x - mean) / s) weight + bias, the products in any order, and x a + (bias - mean a), a = weight / s, are off, before
 * their last sum, by the factor's error times x - mean, as both terms have the same one, and by three roundings of x f
 * and mean f at most, and one of bias:
 *   (1 + gamma_3) e' |f| |x - mean| + (1 + e') gamma_3 |f| (|x| + |mean|) + u |bias|.
 * A result that underflows is multiplied afterwards by weight, 1/s, f, or x and mean, one each, or, four of them, by
 * nothing; and enlarged by 1 + (what is above) <= 2. */
#include "linalg/rounding/upward.h"
#include "network/batchnorm/step_batchnorm.h"
#include "network/step_normalize.h"

/* Of a column. */
typedef struct {
  double mean;            /* itself */
  double weight, bias;    /* their sizes */
  double square, inverse; /* upper bounds of all that s^2 is made of, and of 1/s */
  double factor;          /* of |f| */
  double shared, single;  /* of what both terms are off by together, and each */
} executed_column;

/* s^2 and the root round once each here. */
static executed_column column_of(const step_batchnorm_parameters *of, int c, const step_format *format) {
  const double square = of->variance[c] + of->epsilon, less = 1.0 - 4.0 * UNIT_ROUNDOFF, root = sqrt(square) * less;
  const double gamma = step_format_gamma(format, 3.0), unit = format->compute.unit;
  const double constant = upward_div(upward_mul(step_format_gamma(format, 2.0), fabs(of->epsilon)), square * less);
  const double inverse_error = step_normalize_inverse(root, 1, 0.0, upward_compound(constant, unit), format);
  const double factor_error = upward_compound(inverse_error, unit);
  executed_column e = {.mean = of->mean[c],
                       .weight = of->weight != NULL ? fabs(of->weight[c]) : 1.0,
                       .bias = of->bias != NULL ? fabs(of->bias[c]) : 0.0,
                       .square = upward_add3(square, fabs(of->variance[c]), fabs(of->epsilon)),
                       .inverse = upward_div(1.0, root),
                       .shared = upward_mul(upward_add(1.0, gamma), factor_error),
                       .single = upward_mul(upward_add(1.0, factor_error), gamma)};
  e.factor = upward_mul(e.weight, e.inverse);
  if (!(upward_add(e.shared, e.single) <= 1.0)) e.shared = INFINITY;
  return e;
}

static void execute_entry(form *out, const form *in, int i, int c, const executed_column *e,
                          const step_format *format) {
  const double center = in->center[(size_t)i * (size_t)in->cols + (size_t)c];
  const double apart = upward_add(round_up_nonnegative(fabs(center - e->mean), 1.0), form_spread(in, i, c));
  const double both = upward_add(step_execution_size(in, i, c), fabs(e->mean)), terms = upward_mul(e->factor, both);
  const double scaled = upward_add(upward_mul(e->shared, upward_mul(e->factor, apart)), upward_mul(e->single, terms));
  const double factors = upward_add3(upward_add(e->weight, e->inverse), e->factor, upward_add(both, 4.0));
  const double below = upward_mul(2.0 * format->compute.tiny, factors);
  const double error = upward_add3(scaled, upward_mul(format->compute.unit, e->bias), below);
  const double inside = upward_mul(both, upward_add3(1.0, e->inverse, e->weight));
  const double met = upward_add3(e->square, upward_add(e->inverse, e->factor), upward_add3(inside, terms, e->bias));
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
