/* Intervals against exact rational numbers: an oracle in GMP's mpq that shares no code with the interval module. */
#ifndef ATTCERT_TESTS_SUPPORT_EXACT_INTERVAL_H
#define ATTCERT_TESTS_SUPPORT_EXACT_INTERVAL_H

#include <gmp.h> /* before mpfr.h, which then declares its functions on mpq_t */

#include "interval/interval.h"
#include "random_source.h"
#include <stdbool.h>

/* lo <= q <= hi; an endpoint that is NaN claims nothing. */
bool exact_in(const interval *a, const mpq_t q);

/* Some numbers of an interval: its ends, 0 when it is inside, and random ones; far-off ones where it has no end. */
enum { EXACT_SAMPLES = 4 };
typedef struct {
  mpq_t value[EXACT_SAMPLES];
  int count; /* 0: empty */
  bool ends; /* bounded: both ends are among the values, and 0 if it is inside */
} exact_sample;

void exact_sample_init(exact_sample *sample);
void exact_sample_clear(exact_sample *sample);
void exact_sample_draw(exact_sample *sample, const interval *a, random_source *s);

/* The smallest and largest of a set of numbers that is given one at a time. */
typedef struct {
  mpq_t min, max;
  bool empty;
} exact_range;

void exact_range_init(exact_range *range);
void exact_range_clear(exact_range *range);
void exact_range_reset(exact_range *range);
void exact_range_add(exact_range *range, const mpq_t q);

/* Is r the tightest interval of its precision around [min, max]? */
bool exact_is_tightest(const interval *r, const exact_range *range);

#endif
