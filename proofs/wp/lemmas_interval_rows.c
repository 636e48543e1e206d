/* The lemmas of spec/interval/ about digits and rows, with what they alone need in scope. */
#include "attcert.h"

#include "interval/interval_shift_lemmas.acsl"

#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_matrix_lemmas.acsl"
#include "interval/interval_vec_lemmas.acsl"

#include "interval/interval_kept_lemmas.acsl"
