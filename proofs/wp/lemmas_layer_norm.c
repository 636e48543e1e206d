/* The lemmas from a layer at an input to the real layers that its intervals stand for. */
#include "certify/explicit/explicit_jacobian_memory.h"

#include "theorems/layer_norm_lemmas.acsl"
