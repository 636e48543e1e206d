/* T3, [Castin et al.]: a lower bound of the Lipschitz constant on B_R^n, attained at n - 1
 * equal tokens and one more. */
#ifndef ATTCERT_THEORY_LOWER_BOUND_H
#define ATTCERT_THEORY_LOWER_BOUND_H

#include "theory/ball_table.h"

/* v sqrt(n - 1) / (1 + (n - 1) e^{-2 R^2 gamma}). */
/*@ requires \valid(bound) && \valid_read(value) && \valid_read(gamma) && \valid(ws);
    requires \separated(bound, value, gamma, ws) && n >= 1;
    assigns *bound, *ws;
    ensures contains: \forall real v, g; in(value, v) && in(gamma, g) ==>
      in(bound, v * \sqrt(n - 1.0) / (1.0 + (n - 1.0) * \exp(-2.0 * (real)radius * (real)radius * g))); */
void lower_bound(interval *bound, const interval *value, const interval *gamma, double radius, int n,
                 interval_scratch *ws);

/* One head, no mask, no query bias (b_K and b_V cancel); W_O V takes V's place. */
attcert_status lower_bound_fill(theory_bound *entry, const theory_subject *s, attcert_error *err);

#endif
