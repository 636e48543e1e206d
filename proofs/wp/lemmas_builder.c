/* The lemmas about what a builder of an explicit Jacobian holds of one head and token, about
 * the columns of W_O and one token's query, key and value. */
#include "certify/explicit/explicit_jacobian_builder.h"

#include "matrix/row_product_lemmas.acsl"

#include "explicit_jacobian/builder_lemmas.acsl"

#include "explicit_jacobian/shift_lemmas.acsl"

#include "explicit_jacobian/output_lemmas.acsl"

#include "explicit_jacobian/projections_lemmas.acsl"
