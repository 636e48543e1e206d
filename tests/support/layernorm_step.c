#include "layernorm_step.h"

step layernorm_step(int dim, double epsilon) {
  static double ones[LAYERNORM_STEP_MOST];
  static const double zeros[LAYERNORM_STEP_MOST];
  for (int c = 0; c < dim; c++) ones[c] = 1.0;
  return (step){.kind = &step_layernorm,
                .layer = -1,
                .inputs = 1,
                .rows = 1,
                .cols = dim,
                .weight = ones,
                .bias = zeros,
                .epsilon = epsilon};
}
