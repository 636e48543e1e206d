/* The lengths of a sweep: first, first + step, ... up to last, which is included when the steps reach it. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_RANGE_H
#define ATTCERT_REPORT_SWEEP_SWEEP_RANGE_H

#include <stdbool.h>

typedef struct {
  int first, last, step; /* 1 <= first <= last <= ATTCERT_SIDE_MAX, step >= 1 */
} sweep_range;

/* Reads "FIRST:LAST:STEP", "FIRST:LAST" (step 1) or "N" (that length alone), in decimal digits without signs or spaces;
 * false when text is none of these or a number is out of range. */
bool sweep_range_read(sweep_range *range, const char *text);

/* The largest length. */
int sweep_range_largest(const sweep_range *range);

#endif
