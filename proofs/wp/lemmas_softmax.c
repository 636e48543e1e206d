/* The lemmas about the softmax over C arrays, which need the laws of products; see lemmas.c. */
#include "product_laws.acsl"

#include "softmax.acsl"
