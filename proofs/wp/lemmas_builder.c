/* The lemmas about what a builder of an explicit Jacobian holds of one head and token. */
#include "certify/explicit/explicit_jacobian_memory.h"

#include "matrix/row_product_lemmas.acsl"

#include "explicit_jacobian/builder_lemmas.acsl"
