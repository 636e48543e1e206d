/* The rows of a token from what all heads add, from maps that are kept; and their midpoints, kept. */
#include "certify/explicit/explicit_jacobian_rows.h"

#include "explicit_rows/maps_kept_lemmas.acsl"
#include "explicit_rows/midpoints_lemmas.acsl"
#include "explicit_rows/token_rows_lemmas.acsl"
