/* <w, phi(x)> entry by entry: a line below the curve where w is positive, above it where w is negative, over all that
 * the entry can be:
 *
 *   w phi(t) >= w (slope t + height).
 *
 * Every slope has such a height (range_line_side), so that slopes may be chosen by any means. */
#include "base/parallel.h"
#include "linalg/rounding/rounding.h"
#include "network/activation/step_activation.h"

typedef struct {
  const step_lower *l;
  const range_curve *curve;
} lower_pass;

/* Whether the line that is chosen first is the best: above a corner the chord, beside it the curve itself. */
static bool is_settled(const range_curve *curve, range reach, bool above) {
  return curve->straight && (above || reach.lo >= 0.0 || reach.hi <= 0.0);
}

/* w slope rounds once: off by u |w slope| times |t| at most, or by an underflow unit times that. */
static void lower_entry(const lower_pass *p, size_t at, range reach, double size) {
  const step_lower *const l = p->l;
  const size_t entries = (size_t)l->out->rows * (size_t)l->out->cols;
  range_side line[2];
  bool drawn[2] = {false, false};
  for (int b = 0; b < l->count; b++) {
    const double w = l->from[(size_t)b * entries + at];
    const int above = w < 0.0;
    if (b == 0) l->slopes->factor[at] = is_settled(p->curve, reach, above) ? 0.0 : w;
    if (w == 0.0) continue;
    double *const slope = &l->slopes->slope[above][at];
    if (!drawn[above]) {
      if (isnan(*slope)) *slope = range_line_slope(p->curve, reach.lo, reach.hi, above);
      *slope = range_line_nearest_slope(p->curve, reach.lo, reach.hi, *slope);
      line[above] = range_line_side(p->curve, reach.lo, reach.hi, *slope, above);
      l->slopes->touch[above][at] = line[above].touch;
      drawn[above] = true;
    }
    const double to = w * line[above].slope;
    l->to[0][(size_t)b * entries + at] = to;
    const double rounded = round_up_nonnegative((UNIT_ROUNDOFF * fabs(to) + UNDERFLOW_UNIT) * size, 3.0);
    step_lower_add(&l->constant[b], range_sub_down(range_mul_down(w, line[above].height), rounded));
  }
}

attcert_status step_activation_lower(step_lower *l, const step *s, attcert_error *err) {
  const lower_pass p = {l, s->of};
  const form *const in = l->in[0];
  (void)err;
  for (int i = 0; i < in->rows; i++) {
    for (int c = 0; c < in->cols; c++)
      lower_entry(&p, (size_t)i * (size_t)in->cols + (size_t)c, form_range(in, i, c), step_execution_size(in, i, c));
  }
  return ATTCERT_OK;
}
