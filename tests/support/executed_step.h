/* One step alone, executed in a format by every manner, against the bound of what its execution adds. */
#ifndef ATTCERT_TESTS_SUPPORT_EXECUTED_STEP_H
#define ATTCERT_TESTS_SUPPORT_EXECUTED_STEP_H

#include "executed_network.h"
#include "layernorm_step.h"

/* Columns of a step's output, all rows. */
enum { EXECUTED_STEP_MOST = LAYERNORM_STEP_MOST };

/* bound[0 .. rows cols - 1]: of what executing the step `s` in the format adds to each entry of its output where every
 * row of x (rows x cols), rounded to the format, enters it; x is left rounded. Fails where there is no bound. */
void executed_step_bound(double *bound, const step_format *format, const step *s, double *x, int cols);

/* Whether what executing the step adds is bounded; x as above, but left as it is. */
bool executed_step_bounded(const step_format *format, const step *s, const double *x, int cols);

/* The largest part of its bound that an entry in [first, last] uses, over all manners of executing the step in the
 * format, whose ulp may differ from EXECUTED_ULP. Fails where one leaves its bound. The weights are numbers of the
 * format. */
double executed_step_part_used(const step_format *format, const step *s, const double *x, int cols, int first,
                               int last);

/* The same in a format of that name. */
double executed_step_used(const char *format, const step *s, const double *x, int cols, int first, int last);

#endif
