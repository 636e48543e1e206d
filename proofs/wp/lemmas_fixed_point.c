/* The lemmas about numbers in fixed point: scaled by a power of two, and back; what roundings add up to. */
#include "interval/point_vec.h"

#include "arithmetic/scaling_lemmas.acsl"

#include "arithmetic/scaled_ceiling_lemmas.acsl"
#include "integer/rounded_matrix_lemmas.acsl"
#include "integer/rounded_row_lemmas.acsl"
