/* Many MPFR numbers in one block of memory, through MPFR's custom interface: `count` structs, then their limbs. A
 * vector so built costs one malloc and one free, and 48 bytes a number at 128 bits. */
#ifndef ATTCERT_INTERVAL_MPFR_BLOCK_H
#define ATTCERT_INTERVAL_MPFR_BLOCK_H

#include <mpfr.h>
#include <stddef.h>

/* SIZE_MAX when the bytes of count numbers cannot be counted. */
size_t mpfr_block_bytes(size_t count, mpfr_prec_t precision);

/* count zeros, to be released with free; NULL when out of memory. */
void *mpfr_block_new(size_t count, mpfr_prec_t precision);

#endif
