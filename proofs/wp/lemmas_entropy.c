/* The lemmas about the entropy of a row of weights, from its tangents; see lemmas.c. */
#include "real/real_entropy_tangent_lemmas.acsl"

#include "real/real_entropy_lemmas.acsl"
