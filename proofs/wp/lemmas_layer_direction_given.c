/* The lemmas about what a derivative along a direction is computed from, and which real layer it stands for. */
#include "certify/enclosure/direction_memory.h"

#include "direction/direction_given_lemmas.acsl"
#include "theorems/layer_direction_given_lemmas.acsl"
