/* What the rows of all tokens of an explicit Jacobian are made from, while they are made. */
#include "certify/explicit/explicit_jacobian_midpoints.h"

#include "explicit_rows/midpoints_given_lemmas.acsl"
