/* An activation's value at x as one of the ways of writing it computes it, operation by operation. */
#ifndef ATTCERT_TESTS_SUPPORT_EXECUTED_ACTIVATION_H
#define ATTCERT_TESTS_SUPPORT_EXECUTED_ACTIVATION_H

#include "executed_arithmetic.h"
#include "robust/range/range_line.h"

/* Not yet stored. */
double executed_activation(const range_curve *curve, double x, execution *e);

#endif
