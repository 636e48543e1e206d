/* The softmax of a row of scores. */
#ifndef ATTCERT_KERNEL_ROW_SOFTMAX_H
#define ATTCERT_KERNEL_ROW_SOFTMAX_H

#ifdef __FRAMAC__
#include "attention/softmax_lemmas.acsl"
#endif

/* In place: p_j becomes exp(p_j) / sum_t exp(p_t) for j < n. Shifted by the row's maximum: nothing overflows, and the
 * sum is at least 1. */
/*@ requires size: 1 <= n;
    requires valid: \valid(p + (0 .. n - 1));
    terminates \true;
    assigns p[0 .. n - 1];
    ensures result: \forall integer j; 0 <= j < n ==> p[j] == softmax{Pre}(p, n, j);
    ensures positive: \forall integer j; 0 <= j < n ==> 0.0 < p[j];
    ensures one: sum(p, n) == 1.0; */
void softmax_row(double *p, int n);

#endif
