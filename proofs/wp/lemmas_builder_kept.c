/* The lemmas about a builder of an explicit Jacobian whose sources are kept, and about the tokens in these. */
#include "certify/explicit/explicit_jacobian_memory.h"

#include "explicit_jacobian/builder_kept_lemmas.acsl"

#include "explicit_jacobian/projections_lemmas.acsl"

#include "explicit_jacobian/shift_lemmas.acsl"
