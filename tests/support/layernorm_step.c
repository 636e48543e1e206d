#include "layernorm_step.h"

step layernorm_step(layernorm_weights *weights, int dim, double epsilon) {
  static double ones[LAYERNORM_STEP_MOST];
  static const double zeros[LAYERNORM_STEP_MOST];
  for (int c = 0; c < dim; c++) ones[c] = 1.0;
  *weights = (layernorm_weights){ones, zeros, epsilon};
  return (step){.kind = &step_layernorm, .of = weights, .layer = -1, .inputs = 1, .rows = 1, .cols = dim};
}
