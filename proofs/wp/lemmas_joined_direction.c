/* The lemma about the joined heads of a derivative along a direction. */
#include "certify/enclosure/layer_enclosure.h"

#include "real/real_layer_direction_lemmas.acsl"
