/* The radii of a curve: `count` of them from first to last, each the same factor beyond the one before. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_RADII_H
#define ATTCERT_REPORT_SWEEP_SWEEP_RADII_H

#include <stdbool.h>

enum { SWEEP_RADII_DEFAULT = 13, SWEEP_RADII_MAX = 10000 };

typedef struct {
  double first, last; /* 0 < first <= last, finite */
  int count;          /* 1 where first = last */
} sweep_radii;

/* Reads "FIRST:LAST:log" or "FIRST:LAST:log:COUNT" with COUNT from 2 to SWEEP_RADII_MAX; false when text is neither. */
bool sweep_radii_read(sweep_radii *radii, const char *text);

/* Radius i; the first and the last are exact. */
double sweep_radii_at(const sweep_radii *radii, int i);

#endif
