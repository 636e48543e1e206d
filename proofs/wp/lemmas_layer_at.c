/* The lemmas about the real layer that a layer of doubles stands for: that there is one, with a Jacobian, and that it
 * stays the same while other memory is written. */
#include "certify/enclosure/layer_enclosure_memory.h"

#include "theorems/layer_kept_lemmas.acsl"
#include "theorems/stored_layer_lemmas.acsl"
