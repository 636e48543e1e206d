/* RMSNorm of a row as one kernel computes it. */
#ifndef ATTCERT_TESTS_SUPPORT_EXECUTED_RMSNORM_H
#define ATTCERT_TESTS_SUPPORT_EXECUTED_RMSNORM_H

#include "executed_arithmetic.h"
#include "network/rmsnorm/step_rmsnorm.h"

/* y[0 .. cols - 1], stored, of the step's row x. */
void executed_rmsnorm(double *y, const step *s, const double *x, execution *e);

#endif
