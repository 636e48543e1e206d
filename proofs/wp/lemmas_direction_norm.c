/* The lemmas about what the quotient of norms along a direction is made from. */
#include "certify/enclosure/direction_memory.h"

#include "interval/interval_direction_norm_lemmas.acsl"
#include "interval/interval_tokens_squared_lemmas.acsl"
