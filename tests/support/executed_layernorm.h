/* LayerNorm of a row as one kernel computes it, in one of the ways of finding its moments. */
#ifndef ATTCERT_TESTS_SUPPORT_EXECUTED_LAYERNORM_H
#define ATTCERT_TESTS_SUPPORT_EXECUTED_LAYERNORM_H

#include "executed_arithmetic.h"
#include "network/layernorm/step_layernorm.h"

/* y[0 .. cols - 1], stored, of the step's row x. */
void executed_layernorm(double *y, const step *s, const double *x, const execution *e);

#endif
