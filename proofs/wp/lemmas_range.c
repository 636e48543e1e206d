/* The lemmas about ranges between doubles. */
#include "robust/range_lemmas.acsl"
