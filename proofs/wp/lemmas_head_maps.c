/* The lemmas about the maps of a head in a proof of the explicit Jacobian, with what they alone need in scope. */
#include "certify/explicit/head_output.h"

#include "explicit_jacobian/head_maps_lemmas.acsl"
