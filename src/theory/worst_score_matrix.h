/* T10 (spec/theorems/sharper_bounds.md): what no bound in terms of ||A||, V, R and n can go below. */
#ifndef ATTCERT_THEORY_WORST_SCORE_MATRIX_H
#define ATTCERT_THEORY_WORST_SCORE_MATRIX_H

#include "theory/ball_table.h"

/* v sqrt(2 (n - 2)) z / (2 + (n - 2) e^{-z}), n >= 2. */
/*@ requires \valid(bound) && \valid_read(value) && \valid_read(score) && \valid(ws);
    requires \separated(bound, value, score, ws) && n >= 2;
    assigns *bound, *ws;
    ensures contains: \forall real v, z; in(value, v) && in(score, z) ==>
      in(bound, v * \sqrt(2.0 * (n - 2.0)) * z / (2.0 + (n - 2.0) * \exp(-z))); */
void worst_score_matrix(interval *bound, const interval *value, const interval *score, int n, interval_scratch *ws);

/* One head, d >= 2, n >= 3, masked or not; W_O V takes V's place, ||A|| R^2 that of z. */
attcert_status worst_score_matrix_fill(theory_bound *entry, const theory_subject *s, attcert_error *err);

#endif
