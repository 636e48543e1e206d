/* The lemma about the significand of a hexadecimal text, with what only its proof needs. */
#include "format/hex_text_place_lemmas.acsl"

#include "format/hex_text_lemmas.acsl"
