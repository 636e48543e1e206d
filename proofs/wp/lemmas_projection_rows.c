/* The lemmas about the rows of a linear map of tokens. */
#include "certify/enclosure/projection.h"
#include "linalg/exact/exact_rows.h"

#include "matrix/entry_shift_lemmas.acsl"

#include "projection/interval_projection_kept_lemmas.acsl"
#include "projection/interval_projection_rows_lemmas.acsl"
