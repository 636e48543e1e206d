/* One certificate held against the oracle's truth, and the counts of many. Nothing here calls the certifier. */
#ifndef ATTCERT_TESTS_SUPPORT_ENCLOSURE_VERDICT_H
#define ATTCERT_TESTS_SUPPORT_ENCLOSURE_VERDICT_H

#include "attcert.h"
#include "jacobian_oracle.h"
#include "random_layer.h"

typedef enum {
  VERDICT_HOLDS,
  VERDICT_WIDE,  /* contains the truth, but is wider than the engine promises */
  VERDICT_MISS,  /* does not contain the truth: upper < truth, lower > truth, or an end is NaN */
  VERDICT_FAILED /* no certificate, or one that misreports its own width, or an estimate above its upper end */
} verdict;

const char *verdict_name(verdict v);

/* The truth about a case: the oracle's enclosure, or exactly 0 where the case is 0 by construction. */
void truth_init(norm_oracle *truth, const layer_case *c);

/* truth <= upper <= truth (1 + 1 / reciprocal), compared exactly; with reciprocal 0 only the former. Fails the test
 * otherwise. */
void assert_upper_of_truth(mpfr_srcptr upper, const norm_oracle *truth, unsigned long reciprocal, const char *name);

/* The relative width (upper - lower) / upper, rounded up; 0 for [0, 0]. */
double enclosure_width(mpfr_srcptr lower, mpfr_srcptr upper);

/* Width that an engine promises for a Jacobian that is not 0: mpfr 1e-12, dense and auto 1e-10, the others none. */
double promised_width(attcert_engine engine);

verdict enclosure_verdict(const attcert_certificate *certificate, attcert_engine asked, const norm_oracle *truth);

/* Counts for one family and engine. */
typedef struct {
  long cases, wide, misses, failed;
  double widest; /* of those whose truth is not 0 */
} enclosure_tally;

void enclosure_tally_count(enclosure_tally *tally, verdict v, const attcert_certificate *certificate,
                           const norm_oracle *truth);
void enclosure_tally_add(enclosure_tally *sum, const enclosure_tally *part);

#endif
