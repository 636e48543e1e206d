/* T6: the pointwise bound at x, as in certify/engine/pointwise.h. */
#ifndef ATTCERT_THEORY_POINTWISE_BOUND_H
#define ATTCERT_THEORY_POINTWISE_BOUND_H

#include "theory/ball_table.h"

attcert_status pointwise_bound_fill(theory_bound *entry, const theory_subject *s, attcert_error *err);

#endif
