/* Questions about intervals. "Certainly" means: for all x in a and y in b; so every such answer is true of an empty
 * one. */
#ifndef ATTCERT_INTERVAL_INTERVAL_QUERY_H
#define ATTCERT_INTERVAL_INTERVAL_QUERY_H

#include <stdbool.h>

#include "interval/endpoint.h"
#include "interval/interval.h"

#ifdef __FRAMAC__
#include "arithmetic/double.acsl"
#endif

/* r is a itself: an operation in place. (WP reads r == a, with r not const, as a comparison of bytes.) */
/*@ terminates \true;
    assigns \nothing;
    ensures same: \result <==> r == a; */
static inline bool interval_is_same(const interval *r, const interval *a) {
  return r == a;
}

/* Both endpoints are numbers. */
/*@ requires valid: \valid_read(a);
    requires live: live(a);
    terminates \true;
    assigns \nothing;
    ensures bounded: \result <==> bounded(a); */
static inline bool interval_is_bounded(const interval *a) {
  return endpoint_is_number(a->lo) && endpoint_is_number(a->hi);
}

/* An endpoint is NaN: the interval counts as whole. */
/*@ requires valid: \valid_read(a);
    requires live: live(a);
    terminates \true;
    assigns \nothing;
    ensures nan: \result <==> has_nan(a); */
static inline bool interval_has_nan(const interval *a) {
  return mpfr_nan_p(a->lo) || mpfr_nan_p(a->hi);
}

/* No real number is in a. */
/*@ requires valid: \valid_read(a);
    requires live: live(a);
    terminates \true;
    assigns \nothing;
    ensures empty: \result <==> empty(a); */
bool interval_is_empty(const interval *a);

/*@ requires valid: \valid_read(a);
    requires live: live(a);
    terminates \true;
    assigns \nothing;
    ensures member: \result <==> in(a, 0.0); */
bool interval_contains_zero(const interval *a);

/* No real number is in both. */
/*@ requires valid: \valid_read(a) && \valid_read(b);
    requires live: live(a) && live(b);
    terminates \true;
    assigns \nothing;
    ensures disjoint: \result <==> \forall real x; !(in(a, x) && in(b, x)); */
bool interval_disjoint(const interval *a, const interval *b);

/*@ requires valid: \valid_read(a) && \valid_read(b);
    requires live: live(a) && live(b);
    terminates \true;
    assigns \nothing;
    ensures less: \result <==> \forall real x, y; in(a, x) ==> in(b, y) ==> x < y; */
bool interval_certainly_less(const interval *a, const interval *b);

/*@ requires valid: \valid_read(a) && \valid_read(b);
    requires live: live(a) && live(b);
    terminates \true;
    assigns \nothing;
    ensures less_equal: \result <==> \forall real x, y; in(a, x) ==> in(b, y) ==> x <= y; */
bool interval_certainly_less_equal(const interval *a, const interval *b);

#endif
