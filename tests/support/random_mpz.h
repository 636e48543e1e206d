/* Random integers of any size, for what is computed in integers. */
#ifndef ATTCERT_TESTS_SUPPORT_RANDOM_MPZ_H
#define ATTCERT_TESTS_SUPPORT_RANDOM_MPZ_H

#include <gmp.h>

#include "random_source.h"

/* |x| < 2^bits, of any size below that alike; now and then 0 or +-(2^bits - 1). */
void random_mpz(mpz_ptr x, size_t bits, random_source *r);

#endif
