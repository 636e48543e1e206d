/* Rotary embedding as frameworks compute it: cosines and sines in float32, then stored. */
#ifndef ATTCERT_TESTS_SUPPORT_EXECUTED_ROTARY_H
#define ATTCERT_TESTS_SUPPORT_EXECUTED_ROTARY_H

#include "executed_arithmetic.h"
#include "network/rotary/step_rotary.h"

/* y[0 .. cols - 1], stored, of row i of the step, whose input is x; its frequencies are powers. */
void executed_rotary(double *y, const step *s, int i, const double *x, execution *e);

#endif
