/* Softmax about a point: P'_j = e^{s_j + tau_j} / sum_m e^{s_m + tau_m} against p_j (1 + t_j), t_j = tau_j - sum_m p_m
 * tau_m, for doubles p near the softmax P of s.
 *
 * With |t_j| <= T_j: e^t = 1 + t + theta, 0 <= theta <= theta_j := e^{T_j} - 1 - T_j, and
 *   Z := sum_m P_m e^{t_m} between 1 - z and 1 + z + Theta, Theta = sum_m P_m theta_m, z >= |sum_m P_m t_m|,
 * where z is a matter of roundings: sum_m P_m t_m = sum_m (P_m - p_m) t_m + (1 - sum_m p_m) sum_m p_m tau_m. As P'_j =
 * P_j e^{t_j} / Z (and 1 / (1 - z) <= 1 + 2 z for z <= 1/2),
 *   -(1 + T_j) (Theta + z) / (1 + Theta + z) <= P'_j / P_j - (1 + t_j) <= theta_j + 2 z e^{T_j},
 * the lower side because 1 + t_j is at most 1 + T_j where it is positive, and P'_j is positive where it is not. Beside
 * that stands |P_j - p_j| (1 + T_j). */
#ifndef ATTCERT_ROBUST_OPERATION_SOFTMAX_REMAINDER_H
#define ATTCERT_ROBUST_OPERATION_SOFTMAX_REMAINDER_H

#include "robust/range/range.h"

#ifdef __FRAMAC__
#include "robust/softmax_remainder_lemmas.acsl"
#endif

/*@ // P between the weights' ends, p, T and D stored.
    predicate softmax_data{L}(range *weight, double *middle, double *bound, double drift, rvec P, rvec p, rvec T,
                              real D, integer n) =
      stored_bound(drift, D) && \forall integer m; 0 <= m < n ==>
        in_range(weight[m].lo, weight[m].hi, entry(P, m)) && 0.0 <= entry(P, m) &&
        stored_middle(middle[m], entry(p, m)) && stored_bound(bound[m], entry(T, m)); */

/* remainder[j] encloses P'_j - p_j (1 + t_j), given bound[j] >= |t_j| and drift >= |sum_m p_m tau_m|. Infinite or NaN
 * ends where the bounds are too large. */
/*@ requires size: 0 <= count;
    requires weight: \valid_read(weight + (0 .. count - 1));
    requires middle: \valid_read(middle + (0 .. count - 1));
    requires bound: \valid_read(bound + (0 .. count - 1));
    requires remainder: \valid(remainder + (0 .. count - 1));
    requires separated_weight: \separated(remainder + (0 .. count - 1), weight + (0 .. count - 1));
    requires separated_middle: \separated(remainder + (0 .. count - 1), middle + (0 .. count - 1));
    requires separated_bound: \separated(remainder + (0 .. count - 1), bound + (0 .. count - 1));
    terminates \true;
    assigns remainder[0 .. count - 1];
    ensures encloses: \forall rvec P, p, T; \forall real D;
      softmax_data{Pre}(weight, middle, bound, drift, P, p, T, D, count) ==> \forall integer j; 0 <= j < count ==>
        softmax_ends(remainder[j].lo, remainder[j].hi, entry(P, j), entry(p, j), entry(T, j),
                     total_excess(P, T, count), slack(P, p, T, D, count)); */
void softmax_remainder(range *remainder, const range *weight, const double *middle, const double *bound, double drift,
                       int count);

#endif
