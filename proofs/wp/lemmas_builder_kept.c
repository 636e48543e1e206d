/* The lemmas about a builder of an explicit Jacobian whose sources are kept. */
#include "certify/explicit/explicit_jacobian_memory.h"

#include "explicit_jacobian/builder_kept_lemmas.acsl"

#include "explicit_jacobian/shift_lemmas.acsl"
