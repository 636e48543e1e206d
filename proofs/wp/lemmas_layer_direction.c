/* The lemmas from the derivative of a layer along a direction to the norm of its Jacobian. */
#include "certify/enclosure/layer_enclosure.h"

#include "theorems/layer_direction_lemmas.acsl"
