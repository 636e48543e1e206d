/* That a projection stays the same, without the lemmas about places, which lead the provers astray. */
#include "certify/enclosure/projection.h"

#include "projection/interval_projection_same_lemmas.acsl"
