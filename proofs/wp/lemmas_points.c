/* The lemmas about rows of points and of weights in a proof of the explicit Jacobian, with what they alone need in
 * scope. */
#include "certify/enclosure/jacobian_enclosure.h"

#include "explicit_jacobian/shift_lemmas.acsl"

#include "explicit_jacobian/transposed_weight_lemmas.acsl"
