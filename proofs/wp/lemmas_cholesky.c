/* The lemmas about a factorisation in integers, which need induction. */
#include "integer/cholesky_lemmas.acsl"
