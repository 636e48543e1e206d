/* Someone else's estimate of ||D_X f||_2 against a certified enclosure: inside, below or above. */
#ifndef ATTCERT_REPORT_ESTIMATE_CHECK_H
#define ATTCERT_REPORT_ESTIMATE_CHECK_H

#include "attcert.h"
#include "report/estimate_rounding.h"

typedef enum { ESTIMATE_INSIDE, ESTIMATE_BELOW, ESTIMATE_ABOVE } estimate_verdict;

/* The value read, and its own direction's norm when one was given. All 53 bits. */
typedef struct {
  const char *text;          /* the estimate as given */
  mpfr_t value_lo, value_hi; /* the estimate, rounded down and up */
  estimate_verdict verdict;
  mpfr_t gap; /* relative distance from the nearer end of the enclosure, rounded up; 0 inside; may be +inf */
  double slack;
  const float_format *dtype;    /* the format that it was computed in, whose rounding is the slack; NULL: not said */
  const float_format *explains; /* outside, but within the rounding of this format, the finest such; NULL: of none */
  double rounding;              /* that rounding */
  bool printed;                 /* outside, but the end beside it as reports print it, rounded outward */
  bool consistent;              /* inside, printed, or gap <= slack */
  bool has_direction;
  mpfr_t direction_lo, direction_hi; /* ||J u|| / ||u||, when has_direction */
} estimate_check;

void estimate_check_init(estimate_check *check);
void estimate_check_clear(estimate_check *check);

/* Reads text (decimal, or hexadecimal after 0x; any exponent). ATTCERT_INPUT unless it is a finite number >= 0. */
attcert_status estimate_check_read(estimate_check *check, const char *text, attcert_error *err);

/* Places the value against [lower, upper]; the comparisons are exact. A decimal value may be an end that a report
 * printed, which is rounded outward. */
void estimate_check_judge(estimate_check *check, mpfr_srcptr lower, mpfr_srcptr upper, double slack);

/* After the judgment: which format's rounding explains the gap, given those of all (estimate_rounding). */
void estimate_check_explain(estimate_check *check, const double rounding[FLOAT_FORMATS]);

/* "inside", "below", "above". */
const char *estimate_check_verdict_name(estimate_verdict verdict);

#endif
