/* The lemmas about the error of a Gram matrix of rounded entries. */
#include <mpfr.h>

#include "theorems/gram_rounding_lemmas.acsl"
