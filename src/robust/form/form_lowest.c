/* Of the bounds that a segment's symbols have, the one that says most of w . eta counts, as in form_support_of: against
 * w by the bounds of the entries, along it in a ball, or one symbol alone where the sum is bounded. */
#include "robust/form/form_lowest.h"

#include <math.h>
#include <string.h>

static double norm_of(const double *x, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

static double input_norm(const double *w, const form_layout *layout, const form_symbols *symbols) {
  double squares = 0.0;
  for (int s = 0; s < layout->count; s++) {
    if (!symbols->segment[layout->id[s]].input) continue;
    const double n = norm_of(w + layout->start[s], layout->start[s + 1] - layout->start[s]);
    squares += n * n;
  }
  return sqrt(squares);
}

/* eta of one segment; norm: of w, and of all other segments of the input where it is one. */
static void lowest_of_segment(double *eta, const double *w, const form_segment *segment, double norm) {
  const int n = segment->width;
  int most = 0;
  double by_entries = segment->bound != NULL ? 0.0 : INFINITY;
  for (int k = 0; k < n; k++) {
    if (fabs(w[k]) > fabs(w[most])) most = k;
    if (segment->bound != NULL) by_entries += fabs(w[k]) * segment->bound[k];
  }
  const double by_norm = norm > 0.0 && isfinite(segment->radius) ? segment->radius * norm : INFINITY;
  const double by_sum = n > 0 && segment->sum > 0.0 ? segment->sum * fabs(w[most]) : INFINITY;
  for (int k = 0; k < n; k++) {
    if (w[k] == 0.0 || by_sum < fmin(by_entries, by_norm))
      eta[k] = 0.0;
    else
      eta[k] = by_norm < by_entries ? -segment->radius * w[k] / norm : -copysign(segment->bound[k], w[k]);
  }
  if (by_sum < fmin(by_entries, by_norm)) eta[most] = -copysign(segment->sum, w[most]);
}

void form_lowest(double *eta, const double *w, const form_layout *layout, const form_symbols *symbols) {
  const double input = input_norm(w, layout, symbols);
  for (int s = 0; s < layout->count; s++) {
    const form_segment *const segment = &symbols->segment[layout->id[s]];
    const double *const of = w + layout->start[s];
    lowest_of_segment(eta + layout->start[s], of, segment, segment->input ? input : norm_of(of, segment->width));
  }
}
