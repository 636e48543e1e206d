/* A vector in a matrix of intervals, from its cells. */
#include "certify/enclosure/jacobian_enclosure.h"

#include "explicit_jacobian/cells_lemmas.acsl"
