/* The lemmas about attention over vectors of real numbers, from the algebra of ratios; see lemmas.c. */
#include "ratio.acsl"

#include "real_attention.acsl"
#include "real_jacobian.acsl"
#include "theorems.acsl"
