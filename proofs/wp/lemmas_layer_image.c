/* The lemmas about the norm of the derivative of a layer along a direction. */
#include "certify/enclosure/layer_enclosure.h"

#include "theorems/layer_image_lemmas.acsl"
