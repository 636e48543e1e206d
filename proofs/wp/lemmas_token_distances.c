/* The lemmas about the distance of two matrices token by token, with what they alone need in scope. */
#include <mpfr.h>

#include "explicit_jacobian/token_distances_lemmas.acsl"
