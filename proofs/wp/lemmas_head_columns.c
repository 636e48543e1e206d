/* W_h V_h of a head from its columns. */
#include "certify/explicit/explicit_jacobian_builder.h"

#include "explicit_jacobian/head_columns_lemmas.acsl"
