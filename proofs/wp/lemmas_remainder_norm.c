/* The lemmas about the norm of its remainder. */
#include <mpfr.h>

#include "integer/remainder_norm_lemmas.acsl"
