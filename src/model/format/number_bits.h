/* Doubles and bit patterns. What a pattern means is the processor's affair (IEEE 754), so these contracts are not
 * proved: they are what the proofs of number_format.c trust, and tests/unit/model/format/test_number_bits.c compares
 * them with exact arithmetic. */
#ifndef ATTCERT_MODEL_FORMAT_NUMBER_BITS_H
#define ATTCERT_MODEL_FORMAT_NUMBER_BITS_H

#include <stdint.h>

#ifdef __FRAMAC__
#include "format/stored_number.acsl"
#endif

/* The value of a binary32 pattern (NaN and infinities included). */
/*@ terminates \true;
    assigns \nothing;
    ensures value: \result == binary32(bits); */
double number_from_binary32(uint32_t bits);

/* The value of a binary64 pattern. */
/*@ terminates \true;
    assigns \nothing;
    ensures value: \result == binary64(bits); */
double number_from_binary64(uint64_t bits);

#endif
