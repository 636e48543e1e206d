/* How many digits a Gram matrix in integers needs, and of which unit. No bound rests on the choice: what does not fit
 * is refused, and what is rounded is counted. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_GRAM_DIGITS_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_GRAM_DIGITS_H

#include "certify/explicit/explicit_jacobian.h"

/* Digits of A~ and of L, A m x k; the Gram matrix has twice as many. */
/*@ requires sides: 0 <= m <= 0x40000000 && 0 <= k <= 0x40000000;
    terminates \true;
    assigns \result \from m, k;
    ensures few: 1 <= \result <= 0x10000; */
size_t explicit_gram_digits(int m, int k);

/* The exponent e of A's unit: every bit that the digits leave. */
/*@ requires valid: \valid_read(j);
    requires sides: 0 <= j->rows <= 0x40000000 && 0 <= j->cols <= 0x40000000 && digits <= 0x10000;
    requires numbers: \valid_read(j->mid + (0 .. row(j->rows, j->cols) - 1)) &&
      live_points(j->mid, row(j->rows, j->cols));
    terminates \true;
    assigns \result \from *j, j->mid[0 .. row(j->rows, j->cols) - 1], digits;
    ensures range: -0x3fffffffffffffff <= \result <= 0x3fffffffffffffff; */
long explicit_gram_unit_exponent(const explicit_jacobian *j, size_t digits);

/* Bytes of the Gram matrix of side m and of A~; UINT64_MAX when they cannot be counted. */
/*@ requires sides: 0 <= m <= 0x40000000 && 0 <= k <= 0x40000000;
    terminates \true;
    assigns \result \from m, k; */
uint64_t explicit_gram_room(int m, int k);

#endif
