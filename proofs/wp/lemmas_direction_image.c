/* The lemmas about the derivative of all heads, and the image, along a direction. */
#include "certify/enclosure/direction_memory.h"
#include "certify/enclosure/jacobian_enclosure.h"

#include "direction/direction_cells_lemmas.acsl"
