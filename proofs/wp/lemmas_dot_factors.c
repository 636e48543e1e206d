/* The lemmas about the factors of an inner product, and the product of a matrix and a vector. */
#include "interval/interval_vec.h"

#include "interval/interval_shift_lemmas.acsl"

#include "direction/dot_factors_lemmas.acsl"
#include "direction/matrix_product_lemmas.acsl"
