/* BatchNorm executed: one kernel, which stores nothing inside. */
#ifndef ATTCERT_TESTS_SUPPORT_EXECUTED_BATCHNORM_H
#define ATTCERT_TESTS_SUPPORT_EXECUTED_BATCHNORM_H

#include "executed_arithmetic.h"
#include "network/batchnorm/step_batchnorm.h"

/* A row, in the execution's manner. */
void executed_batchnorm(double *y, const step_batchnorm_parameters *of, const double *x, const execution *e);

#endif
