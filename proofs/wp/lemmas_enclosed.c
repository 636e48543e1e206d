/* From the squared distances of all tokens to the radius of an explicit Jacobian. */
#include "certify/explicit/explicit_jacobian_midpoints.h"

#include "explicit_rows/enclosed_lemmas.acsl"
