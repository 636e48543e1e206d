/* The lemmas about what stays while arrays of a derivative are written. */
#include "certify/enclosure/direction_memory.h"

#include "direction/direction_elsewhere_lemmas.acsl"
