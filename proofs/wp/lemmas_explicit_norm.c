/* The lemmas from an eigenvalue in integers to a norm. */
#include "interval/point_vec.h"

#include "theorems/explicit_norm_lemmas.acsl"
