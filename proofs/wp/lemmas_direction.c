/* The lemmas of spec/interval/ about the derivative along a direction. */
#include "certify/enclosure/direction_memory.h"

#include "interval/interval_shift_lemmas.acsl"

#include "interval/interval_direction_kept_lemmas.acsl"
