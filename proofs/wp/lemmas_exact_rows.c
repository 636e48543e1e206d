/* The lemmas about rows of doubles as integers, whose inner products are those of the doubles. */
#include "integer/exact_dot_lemmas.acsl"
