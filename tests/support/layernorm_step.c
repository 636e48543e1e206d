#include "layernorm_step.h"

#define FOUR 1.0, 1.0, 1.0, 1.0
#define SIXTEEN FOUR, FOUR, FOUR, FOUR

step layernorm_step(int dim, double epsilon) {
  static const double ones[LAYERNORM_STEP_MOST] = {SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN};
  static const double zeros[LAYERNORM_STEP_MOST];
  return (step){.kind = &step_layernorm,
                .layer = -1,
                .inputs = 1,
                .rows = 1,
                .cols = dim,
                .weight = ones,
                .bias = zeros,
                .epsilon = epsilon};
}
