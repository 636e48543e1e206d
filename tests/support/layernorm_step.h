/* LayerNorm of one row without gain and bias, as a step of a network. */
#ifndef ATTCERT_TESTS_SUPPORT_LAYERNORM_STEP_H
#define ATTCERT_TESTS_SUPPORT_LAYERNORM_STEP_H

#include "robust/step/step.h"

enum { LAYERNORM_STEP_MOST = 2048 };

/* dim <= LAYERNORM_STEP_MOST; gain 1 and bias 0 live as long as the program. */
step layernorm_step(int dim, double epsilon);

#endif
