/* What a head adds to one entry of a token's rows. */
#include "certify/explicit/explicit_jacobian_part.h"

#include "explicit_rows/part_lemmas.acsl"
