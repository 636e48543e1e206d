/* The lemma of spec/attention_same.acsl; see lemmas.c. */
#include "attention_same.acsl"
