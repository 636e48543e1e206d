/* LayerNorm of one row without gain and bias, as a step of a network. */
#ifndef ATTCERT_TESTS_SUPPORT_LAYERNORM_STEP_H
#define ATTCERT_TESTS_SUPPORT_LAYERNORM_STEP_H

#include "network/layernorm/step_layernorm.h"

enum { LAYERNORM_STEP_MOST = 2048 };

/* dim <= LAYERNORM_STEP_MOST; the weights, gain 1 and bias 0, are the step's. */
step layernorm_step(layernorm_weights *weights, int dim, double epsilon);

#endif
