/* T6: the pointwise bound at x, as in certify/pointwise.h. */
#ifndef ATTCERT_BOUND_T6_H
#define ATTCERT_BOUND_T6_H

#include "theory/ball_table.h"

attcert_status bound_t6_fill(theory_bound *entry, const theory_subject *s, attcert_error *err);

#endif
