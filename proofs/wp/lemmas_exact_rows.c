/* The lemmas about rows of doubles as integers, whose inner products are those of the doubles. Those about products
 * come last: they would lead the provers of the others astray. */
#include "matrix/entry_shift_lemmas.acsl"

#include "matrix/finite_entries_lemmas.acsl"

#include "integer/exact_dot_lemmas.acsl"

#include "arithmetic/scaled_product_lemmas.acsl"
