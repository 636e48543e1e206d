/* The lemmas about linear maps of tokens. */
#include "certify/enclosure/projection.h"

#include "matrix/entry_shift_lemmas.acsl"

#include "projection/interval_projection_lemmas.acsl"

#include "projection/interval_projection_head_lemmas.acsl"
