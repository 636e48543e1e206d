/* The lemmas about rows that one head adds to, with what they alone need in scope. */
#include "certify/explicit/head_rows.h"

#include "interval/interval_shift_lemmas.acsl"

#include "explicit_jacobian/head_rows_lemmas.acsl"
