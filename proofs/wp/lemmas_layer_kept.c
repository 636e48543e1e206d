/* The lemmas of spec/interval/ about a layer in intervals while other numbers are written. */
#include "certify/enclosure/layer_enclosure.h"

#include "interval/interval_shift_lemmas.acsl"

#include "interval/interval_layer_kept_lemmas.acsl"
