/* The lemmas of spec/explicit_jacobian/ about a builder whose sources are kept. */
#include "certify/explicit/explicit_jacobian_builder.h"

#include "explicit_jacobian/builder_kept_lemmas.acsl"
