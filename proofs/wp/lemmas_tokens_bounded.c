/* The squared distances of an explicit Jacobian's tokens from their midpoints, token after token. */
#include "certify/explicit/explicit_jacobian_rows.h"

#include "explicit_rows/tokens_bounded_lemmas.acsl"
