/* The lemmas about the softmax over C arrays, which need the laws of products; see lemmas.c. */
#include "arithmetic/product_law_lemmas.acsl"

#include "attention/softmax_lemmas.acsl"
