/* The lemmas that join the two ways of writing the specification, over C arrays and over vectors; see lemmas.c. */
#include "real/real_arrays_lemmas.acsl"
