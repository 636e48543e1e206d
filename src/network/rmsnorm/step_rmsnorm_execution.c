/* What executing RMSNorm adds. No number of the sum of squares is negative, so that its roundings are a factor:
 *
 *   a square one, d - 1 additions in any order, the division by d one or, by a product with 1 / d (a constant, off by
 *   two), three, the addition of epsilon (a constant) one:   s^2 is off by a factor within gamma_{d+4} of 1.
 *
 * The reciprocal root and what follows: step_normalize.h, with the numbers themselves off by nothing. x / s may be
 * stored before the gain, as transformers does (LlamaRMSNorm): one more factor within u of the format that stores, and
 * what underflows there, tiny, is what a number off by tiny s makes. A gain of 1 + w rounds once, and may be stored. */
#include "linalg/rounding/upward.h"
#include "network/rmsnorm/step_rmsnorm.h"
#include "network/step_normalize.h"

#include <math.h>

/* Of one of the parts of a row of an executed input x. */
typedef struct {
  double root; /* a lower bound of s = sqrt(||x||^2 / d + epsilon) */
  double inverse_error, off, met;
} executed_part;

/* |x_c| >= |center_c| - spread_c. The root's square takes the two roundings of this, one of the square, d - 1 of the
 * sum, two more, of which half count for the root, and this three; what would underflow is left out.
 *
 * Executed sums are at most twice the exact ones, and so is what is divided by s, or gain by it. A stored x / s is at
 * most sqrt(d) (1 + its error). */
static void measure_part(executed_part *r, const form *in, int i, int first, int d, double epsilon,
                         const step_format *format) {
  const double *const center = in->center + (size_t)i * (size_t)in->cols;
  double squares = 0.0, least = 0.0, longest = 0.0;
  for (int c = first; c < first + d; c++) {
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
  if (!format->narrows) return;
  r->inverse_error = upward_compound(r->inverse_error, format->store.unit);
  r->off = upward_mul(2.0 * format->store.tiny, r->root);
  r->met = step_execution_keep(r->met, upward_mul(sqrt(d), upward_add(2.0, r->inverse_error)), format);
}

attcert_status step_rmsnorm_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                      const step_format *format, attcert_error *err) {
  const rmsnorm_weights *const w = s->of;
  const int n = out->cols / w->parts;
  const double gain_off = w->from_one ? step_format_roundings(format, 1.0, 1.0) : 0.0;
  (void)symbols;
  (void)err;
  for (int k = 0; k < out->rows * w->parts; k++) {
    const int i = k / w->parts, first = k % w->parts * n;
    executed_part r = {0};
    measure_part(&r, in[0], i, first, n, w->epsilon, format);
    for (int c = first; c < first + n; c++) {
      const step_normalized z = {step_execution_size(in[0], i, c), r.off, r.root, r.inverse_error, r.met, gain_off};
      step_normalize_execute(out, i, c, n, w->gain[c], 0.0, &z, format);
    }
  }
  return ATTCERT_OK;
}
