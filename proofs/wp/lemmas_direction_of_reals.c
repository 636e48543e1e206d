/* The lemmas about directions and weights of doubles as real numbers. */
#include "certify/enclosure/direction_memory.h"

#include "theorems/direction_of_reals_lemmas.acsl"
