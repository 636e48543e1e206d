#include "robust/lower_slopes.h"

#include <math.h>

size_t robust_lower_slopes(const robust_lower *l) {
  size_t count = 0;
  for (int s = 0; s < l->network->count; s++)
    if (l->slopes[s].factor != NULL) count += 2 * network_entries(l->network, s + 1);
  return count;
}

void robust_lower_slopes_take(double *slope, const robust_lower *l) {
  for (int s = 0; s < l->network->count; s++) {
    const step_slopes *const of = &l->slopes[s];
    const size_t entries = of->factor != NULL ? network_entries(l->network, s + 1) : 0;
    for (int side = 0; side < 2; side++) {
      for (size_t k = 0; k < entries; k++) {
        const double w = of->factor[k];
        *slope++ = w != 0.0 && (w < 0.0) == (side == 1) ? of->slope[side][k] : NAN;
      }
    }
  }
}

void robust_lower_slopes_put(robust_lower *l, const double *slope) {
  for (int s = 0; s < l->network->count; s++) {
    const step_slopes *const of = &l->slopes[s];
    const size_t entries = of->factor != NULL ? network_entries(l->network, s + 1) : 0;
    for (int side = 0; side < 2; side++)
      for (size_t k = 0; k < entries; k++, slope++) of->slope[side][k] = isfinite(*slope) ? *slope : NAN;
  }
}
