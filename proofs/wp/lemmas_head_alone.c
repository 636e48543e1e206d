/* The lemmas about the factors of one head in a proof of the explicit Jacobian, with what they alone need in scope. */
#include "explicit_jacobian/head_alone_lemmas.acsl"
#include "explicit_jacobian/head_entries_lemmas.acsl"
