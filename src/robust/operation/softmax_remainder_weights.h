/* The weights of a row of scores, P_j = e^{s_j} / sum_m e^{s_m}, all of them shifted by the largest score. */
#ifndef ATTCERT_ROBUST_OPERATION_SOFTMAX_REMAINDER_WEIGHTS_H
#define ATTCERT_ROBUST_OPERATION_SOFTMAX_REMAINDER_WEIGHTS_H

#include "robust/range/range.h"

#ifdef __FRAMAC__
#include "arithmetic/monotone.acsl"
#include "real/real_softmax_lemmas.acsl"
#endif

/*@ predicate scores_stored{L}(double *score, rvec s, integer n) =
      \forall integer m; 0 <= m < n ==> finite_double(score[m]) && entry(s, m) == score[m]; */

/* P_j of `count` scores, and p_j in its middle. */
/*@ requires size: 0 < count;
    requires score: \valid_read(score + (0 .. count - 1));
    requires weight: \valid(weight + (0 .. count - 1));
    requires middle: \valid(middle + (0 .. count - 1));
    requires separated_weight: \separated(weight + (0 .. count - 1), score + (0 .. count - 1));
    requires separated_middle: \separated(middle + (0 .. count - 1), score + (0 .. count - 1));
    requires separated: \separated(weight + (0 .. count - 1), middle + (0 .. count - 1));
    terminates \true;
    assigns weight[0 .. count - 1], middle[0 .. count - 1];
    ensures encloses: \forall rvec s; scores_stored{Pre}(score, s, count) ==> \forall integer j; 0 <= j < count ==>
      in_range(weight[j].lo, weight[j].hi, real_softmax(s, count, j)); */
void softmax_remainder_weights(range *weight, double *middle, const double *score, int count);

#endif
