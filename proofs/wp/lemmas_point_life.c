/* Points and numbers that keep their digits. */
#include "certify/explicit/explicit_jacobian_builder.h"

#include "explicit_rows/point_life_lemmas.acsl"
