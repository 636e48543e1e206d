/* The lemmas about a factorisation in integers. */
#include "integer/cholesky_lemmas.acsl"
#include "integer/lower_index_lemmas.acsl"
