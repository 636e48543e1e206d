/* The lemmas about what is left of the softmax after its part of first order. */
#include "robust/softmax_remainder_lemmas.acsl"
