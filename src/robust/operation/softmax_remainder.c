#include "robust/operation/softmax_remainder.h"

#include "robust/range/range_function.h"

/* Theta, and z, infinite beyond 1/2. */
typedef struct {
  double theta, z;
} totals;

/* theta_j: e^T - 1 - T. */
/*@ terminates \true;
    assigns \nothing;
    ensures bounds: \forall real T; stored_bound(bound, T) ==> upper_end(\result, excess(T)); */
static double excess_up(double bound) {
  const range e = range_exp(bound);
  return range_sub_up(range_sub_up(e.hi, 1.0), bound);
}

/* Exact for z <= 1/2 and for infinity. */
/*@ terminates \true;
    assigns \nothing;
    ensures exact: finite_double(z) ==> z <= 0.5 ==> \result == 2.0 * z;
    ensures unbounded: claims_nothing_above(z) ==> claims_nothing_above(\result); */
static double twice(double z) {
  return 2.0 * z;
}

/*@ requires size: 0 <= count;
    requires weight: \valid_read(weight + (0 .. count - 1));
    requires middle: \valid_read(middle + (0 .. count - 1));
    requires bound: \valid_read(bound + (0 .. count - 1));
    terminates \true;
    assigns \nothing;
    ensures theta: \forall rvec P, p, T; \forall real D;
      softmax_data(weight, middle, bound, drift, P, p, T, D, count) ==>
        0.0 <= total_excess(P, T, count) && upper_end(\result.theta, total_excess(P, T, count));
    ensures z: \forall rvec P, p, T; \forall real D;
      softmax_data(weight, middle, bound, drift, P, p, T, D, count) ==>
        0.0 <= slack(P, p, T, D, count) && upper_end(\result.z, slack(P, p, T, D, count));
    ensures small: finite_double(\result.z) ==> \result.z <= 0.5; */
static totals totals_of(const range *weight, const double *middle, const double *bound, double drift, int count) {
  double off = 0.0, z = 0.0, theta = 0.0;
  /*@ loop invariant position: 0 <= j <= count;
      loop invariant off: \forall rvec P, p, T; \forall real D;
        softmax_data(weight, middle, bound, drift, P, p, T, D, count) ==>
          0.0 <= missed(P, p, j) && upper_end(off, missed(P, p, j));
      loop invariant z: \forall rvec P, p, T; \forall real D;
        softmax_data(weight, middle, bound, drift, P, p, T, D, count) ==>
          0.0 <= missed_scores(P, p, T, j) && upper_end(z, missed_scores(P, p, T, j));
      loop invariant theta: \forall rvec P, p, T; \forall real D;
        softmax_data(weight, middle, bound, drift, P, p, T, D, count) ==>
          0.0 <= total_excess(P, T, j) && upper_end(theta, total_excess(P, T, j));
      loop assigns j, off, z, theta;
      loop variant count - j; */
  for (int j = 0; j < count; j++) {
    const double miss = range_radius(weight[j], middle[j]);
    off = range_add_up(off, miss);
    z = range_add_up(z, range_mul_up(miss, bound[j]));
    theta = range_add_up(theta, range_mul_up(weight[j].hi, excess_up(bound[j])));
  }
  z = range_add_up(z, range_mul_up(off, drift)); /* |1 - sum p| <= sum |P - p| */
  if (isnan(z) || z > 0.5) z = INFINITY;
  return (totals){theta, z};
}

/* (Theta + z) / (1 + Theta + z). */
/*@ terminates \true;
    assigns \nothing;
    ensures bounds: \forall real Theta, z; upper_end(t.theta, Theta) ==> upper_end(t.z, z) ==> 0.0 <= Theta ==>
      0.0 <= z ==> upper_end(\result, lost_share(Theta, z));
    ensures unbounded: claims_nothing_above(t.z) ==> claims_nothing_above(\result); */
static double lost_share_up(totals t) {
  const double divisor = range_add_down(range_add_down(1.0, t.theta), t.z);
  if (isnan(divisor) || divisor <= 0.0) return NAN;
  return range_div_up(range_add_up(t.theta, t.z), divisor);
}

/* theta_j + 2 z e^T. */
/*@ requires small: finite_double(z) ==> z <= 0.5;
    terminates \true;
    assigns \nothing;
    ensures bounds: \forall real T, y; stored_bound(bound, T) ==> upper_end(z, y) ==> 0.0 <= y ==>
      upper_end(\result, excess(T) + prod(2.0 * y, rexp(T)));
    ensures unbounded: \forall real T; stored_bound(bound, T) ==> claims_nothing_above(z) ==>
      claims_nothing_above(\result); */
static double rise_up(double bound, double z) {
  return range_add_up(excess_up(bound), range_mul_up(twice(z), range_exp(bound).hi));
}

/*@ requires small: finite_double(z) ==> z <= 0.5;
    terminates \true;
    assigns \nothing;
    ensures encloses: \forall real P, p, T, Theta, y; in_range(weight.lo, weight.hi, P) ==> 0.0 <= P ==>
      stored_middle(middle, p) ==> stored_bound(bound, T) ==> 0.0 <= Theta ==> 0.0 <= y ==> upper_end(z, y) ==>
      upper_end(lost, lost_share(Theta, y)) ==> (claims_nothing_above(z) ==> claims_nothing_above(lost)) ==>
        softmax_ends(\result.lo, \result.hi, P, p, T, Theta, y); */
static range key_remainder(range weight, double middle, double bound, double lost, double z) {
  const double miss = range_radius(weight, middle), reach = range_add_up(1.0, bound);
  const double beside = range_mul_up(miss, reach);
  const double above = rise_up(bound, z), below = range_mul_up(reach, lost);
  return (range){-range_add_up(range_mul_up(weight.hi, below), beside),
                 range_add_up(range_mul_up(weight.hi, above), beside)};
}

void softmax_remainder(range *remainder, const range *weight, const double *middle, const double *bound, double drift,
                       int count) {
  const totals t = totals_of(weight, middle, bound, drift, count);
  const double lost = lost_share_up(t);
  /*@ loop invariant position: 0 <= j <= count;
      loop invariant encloses: \forall rvec P, p, T; \forall real D;
        softmax_data{Pre}(weight, middle, bound, drift, P, p, T, D, count) ==> \forall integer m; 0 <= m < j ==>
          softmax_ends(remainder[m].lo, remainder[m].hi, entry(P, m), entry(p, m), entry(T, m),
                       total_excess(P, T, count), slack(P, p, T, D, count));
      loop assigns j, remainder[0 .. count - 1];
      loop variant count - j; */
  for (int j = 0; j < count; j++) {
    /*@ assert weight_kept: weight[j].lo == \at(weight[\at(j, Here)].lo, Pre) &&
          weight[j].hi == \at(weight[\at(j, Here)].hi, Pre); */
    /*@ assert others_kept: middle[j] == \at(middle[\at(j, Here)], Pre) &&
          bound[j] == \at(bound[\at(j, Here)], Pre); */
    const range ends = key_remainder(weight[j], middle[j], bound[j], lost, t.z);
    /*@ assert key: \forall rvec P, p, T; \forall real D;
          softmax_data{Pre}(weight, middle, bound, drift, P, p, T, D, count) ==>
            softmax_ends(ends.lo, ends.hi, entry(P, j), entry(p, j), entry(T, j),
                         total_excess(P, T, count), slack(P, p, T, D, count)); */
    remainder[j] = ends;
  }
}
