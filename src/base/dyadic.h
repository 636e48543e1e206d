/* A double as an integer times a power of two. */
#ifndef ATTCERT_BASE_DYADIC_H
#define ATTCERT_BASE_DYADIC_H

#include <stdint.h>

#ifdef __FRAMAC__
#include "arithmetic/dyadic.acsl"
#endif

/* x = significand 2^place, 2^(end - 1) <= |x| < 2^end; all 0 for 0. */
typedef struct {
  int64_t significand; /* odd, or 0 */
  int place, end;
} dyadic;

/* x is finite. */
/*@ requires finite: finite_double(x);
    terminates \true;
    assigns \result \from x;
    ensures place: \result.place == dyadic_place(x);
    ensures end: \result.end == dyadic_end(x);
    ensures equal: prod(\result.significand, power_of_two(\result.place)) == x;
    ensures zero: \result.significand == 0 <==> vanishes(x);
    ensures below: \abs(x) < power_of_two(\result.end);
    ensures size: -0x20000000000000 < \result.significand < 0x20000000000000;
    ensures range: -1074 <= \result.place <= \result.end <= 1024;
    ensures bits: \result.significand != 0 ==> \result.place < \result.end; */
dyadic dyadic_of(double x);

#endif
