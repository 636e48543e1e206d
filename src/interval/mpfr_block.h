/* Many MPFR numbers in one block of memory, through MPFR's custom interface: `count` structs, then their limbs. A
 * vector so built costs one malloc and one free, and 48 bytes a number at 128 bits. */
#ifndef ATTCERT_INTERVAL_MPFR_BLOCK_H
#define ATTCERT_INTERVAL_MPFR_BLOCK_H

#include <mpfr.h>
#include <stddef.h>
#include <stdint.h>

/*@ logic integer block_bytes(integer count, integer precision) = count * (sizeof(mpfr_t) + limb_bytes(precision)); */

/* SIZE_MAX when the bytes of count numbers cannot be counted. */
/*@ requires precision: 1 <= precision <= MPFR_PREC_MAX;
    terminates \true;
    assigns \nothing;
    ensures bytes: \result == (block_bytes(count, precision) <= SIZE_MAX ? block_bytes(count, precision) : SIZE_MAX); */
size_t mpfr_block_bytes(size_t count, mpfr_prec_t precision);

/* Makes zeros of count structs; `limbs` is the room for their digits. */
/*@ requires precision: 1 <= precision <= MPFR_PREC_MAX;
    requires countable: count * limb_bytes(precision) <= SIZE_MAX;
    requires valid: \valid(numbers + (0 .. count - 1));
    requires room: \valid(limbs + (0 .. count * limb_bytes(precision) - 1));
    requires separated: \separated(numbers + (0 .. count - 1), limbs + (0 .. count * limb_bytes(precision) - 1));
    terminates \true;
    assigns numbers[0 .. count - 1], mpfr_lives;
    ensures zeros: \forall integer i; 0 <= i < count ==> zero(numbers + i) && precision(numbers + i) == precision;
    ensures live: \forall integer i; 0 <= i < count ==> lent(numbers + i);
    ensures room: \forall integer i; 0 <= i < count ==> digit_room(numbers + i) == limbs + i * limb_bytes(precision);
    ensures others: \forall mpfr_srcptr x; \separated(x, numbers + (0 .. count - 1)) ==> same_life{Pre, Post}(x); */
void mpfr_block_zeros(mpfr_ptr numbers, char *limbs, size_t count, mpfr_prec_t precision);

/* count zeros, to be released with mpfr_block_free; NULL when out of memory. */
/*@ requires precision: 1 <= precision <= MPFR_PREC_MAX;
    terminates \true;
    assigns \result, mpfr_lives \from count, precision;
    ensures valid: \result != \null ==> \valid(\result + (0 .. count - 1));
    ensures live: \result != \null ==> \forall integer i; 0 <= i < count ==> lent(\result + i);
    ensures others: same_lives{Pre, Post};
    ensures zeros: \result != \null ==>
      \forall integer i; 0 <= i < count ==> zero(\result + i) && precision(\result + i) == precision; */
mpfr_ptr mpfr_block_new(size_t count, mpfr_prec_t precision);

/* numbers: what mpfr_block_new returned, NULL included. */
/*@ terminates \true;
    assigns mpfr_lives;
    ensures ended: block_ended{Pre, Post}(numbers); */
void mpfr_block_free(mpfr_ptr numbers);

#endif
