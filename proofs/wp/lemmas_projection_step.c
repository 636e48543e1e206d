/* The lemmas about rows of a linear map of tokens whose factors are the same at two moments, and about tokens held. */
#include "certify/enclosure/projection.h"
#include "linalg/exact/exact_rows.h"

#include "matrix/entry_shift_lemmas.acsl"
#include "matrix/row_addition_lemmas.acsl"

#include "projection/held_rows_lemmas.acsl"
#include "projection/interval_projection_step_lemmas.acsl"
