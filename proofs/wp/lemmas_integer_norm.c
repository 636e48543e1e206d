/* The lemmas about the norm that a Gram matrix in integers bounds. */
#include "interval/point_vec.h"

#include "theorems/integer_norm_lemmas.acsl"
