/* The lemmas about digits in a text. */
#include "format/decimal_text_lemmas.acsl"
#include "format/exponent_digits_lemmas.acsl"
#include "format/hex_text_lemmas.acsl"
