/* The lemmas about the norm of its remainder, and what it bounds. */
#include <mpfr.h>

#include "integer/gram_eigenvalue_lemmas.acsl"
#include "integer/remainder_norm_lemmas.acsl"
