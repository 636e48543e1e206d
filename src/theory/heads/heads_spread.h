/* T7 of a head of any kind (theory/distribution_bound.h). */
#ifndef ATTCERT_THEORY_HEADS_HEADS_SPREAD_H
#define ATTCERT_THEORY_HEADS_HEADS_SPREAD_H

#include "theory/heads/heads_input.h"
#include "theory/heads/heads_norms.h"

/* The bound of head h, whose weights are set; tokens contains ||X||. Errors: ATTCERT_RESOURCE. */
attcert_status heads_spread(interval *bound, const heads_input *in, const heads_norms *norms, int h,
                            const interval *tokens, attcert_error *err);

#endif
