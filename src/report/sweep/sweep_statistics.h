/* What a sweep comes to: a power law through its lower ends, and medians. In plain double: descriptions, not claims. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_STATISTICS_H
#define ATTCERT_REPORT_SWEEP_SWEEP_STATISTICS_H

#include "report/sweep/sweep_row.h"

/* value ~ constant n^exponent, by least squares of log value against log n, as Castin et al. fit their figures. */
typedef struct {
  double constant, exponent;
  int count; /* rows that entered it */
} sweep_fit;

/* The fit of the rows' lower ends; rows whose lower end is 0 or beyond the range of double have no logarithm and do not
 * enter. false: fewer than two lengths are left. */
bool sweep_fit_lower(sweep_fit *fit, const sweep_row *rows, int count);

/* The median of count >= 1 numbers, which are sorted; of an even number of them the mean of the two in the middle. */
double sweep_median(double *values, int count);

#endif
