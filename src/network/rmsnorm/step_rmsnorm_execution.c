/* What executing RMSNorm adds. No number of the sum of squares is negative, so that its roundings are a factor:
 *
 *   a square one, d - 1 additions in any order, the division by d one or, by a product with 1 / d (a constant, off by
 *   two), three, the addition of epsilon (a constant) one:   s^2 is off by a factor within gamma_{d+4} of 1.
 *
 * The reciprocal root and what follows: step_normalize.h, with the numbers themselves off by nothing. */
#include "linalg/rounding/upward.h"
#include "network/rmsnorm/step_rmsnorm.h"
#include "network/step_normalize.h"

#include <math.h>

/* Of a row of an executed input x. */
typedef struct {
  double root; /* a lower bound of s = sqrt(||x||^2 / d + epsilon) */
  double inverse_error, met;
} executed_row;

/* |x_c| >= |center_c| - spread_c. The root's square takes the two roundings of this, one of the square, d - 1 of the
 * sum, two more, of which half count for the root, and this three; what would underflow is left out.
 *
 * Executed sums are at most twice the exact ones, and so is what is divided by s, or gain by it. */
static void measure_row(executed_row *r, const form *in, int i, double epsilon, const step_format *format) {
  const int d = in->cols;
  const double *const center = in->center + (size_t)i * (size_t)d;
  double squares = 0.0, least = 0.0, longest = 0.0;
  for (int c = 0; c < d; c++) {
    const double size = step_execution_size(in, i, c), short_of = fabs(center[c]) - form_spread(in, i, c);
    squares += size * size;
    if (short_of > 0x1p-400) least += short_of * short_of;
    if (!(size <= longest)) longest = size;
  }
  r->root = sqrt(least / d + epsilon) * (1.0 - gamma_upper(d + 8.0));
  r->inverse_error = step_normalize_inverse(r->root, d, 0.0, step_format_gamma(format, d + 4.0), format);
  const double quotient = upward_mul(4.0, upward_div(upward_add(longest, 1.0), r->root));
  r->met = upward_mul(2.0, upward_add(round_up_nonnegative(squares, 2.0 * d), epsilon));
  if (!(quotient <= r->met)) r->met = quotient;
}

attcert_status step_rmsnorm_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                      const step_format *format, attcert_error *err) {
  const rmsnorm_weights *const w = s->of;
  (void)symbols;
  (void)err;
  for (int i = 0; i < out->rows; i++) {
    executed_row r;
    measure_row(&r, in[0], i, w->epsilon, format);
    for (int c = 0; c < out->cols; c++) {
      const step_normalized z = {step_execution_size(in[0], i, c), 0.0, r.root, r.inverse_error, r.met};
      step_normalize_execute(out, i, c, w->gain[c], 0.0, &z, format);
    }
  }
  return ATTCERT_OK;
}
