/* The lemmas about attention over vectors of real numbers, from the algebra of ratios; see lemmas.c. */
#include "arithmetic/ratio_lemmas.acsl"

#include "real/real_attention_lemmas.acsl"
#include "real/real_jacobian_lemmas.acsl"

#include "theorems/theorems.acsl"
