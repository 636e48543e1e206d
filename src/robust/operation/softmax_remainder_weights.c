#include "robust/operation/softmax_remainder_weights.h"

#include "robust/range/range_function.h"

/*@ requires size: 0 < count;
    requires score: \valid_read(score + (0 .. count - 1));
    terminates \true;
    assigns \nothing;
    ensures finite: (\forall integer m; 0 <= m < count ==> finite_double(score[m])) ==> finite_double(\result); */
static double largest_score(const double *score, int count) {
  double largest = score[0];
  /*@ loop invariant position: 1 <= j <= count;
      loop invariant finite: (\forall integer m; 0 <= m < count ==> finite_double(score[m])) ==> finite_double(largest);
      loop assigns j, largest;
      loop variant count - j; */
  for (int j = 1; j < count; j++) largest = range_larger(largest, score[j]);
  return largest;
}

/* e^(score - largest). */
/*@ terminates \true;
    assigns \nothing;
    ensures encloses: finite_double(score) ==> finite_double(largest) ==>
      in_range(\result.lo, \result.hi, rexp_shifted(score, largest)); */
static range exponential(double score, double largest) {
  const range at = range_of(score), from = range_of(largest);
  //@ assert at: finite_double(score) ==> in_range(at.lo, at.hi, score);
  //@ assert from: finite_double(largest) ==> in_range(from.lo, from.hi, largest);
  const range below = range_sub(at, from);
  /*@ assert difference: finite_double(score) ==> finite_double(largest) ==>
        in_range(below.lo, below.hi, score - largest); */
  return (range){range_exp(below.lo).lo, range_exp(below.hi).hi};
}

/*@ requires size: 0 < count;
    requires score: \valid_read(score + (0 .. count - 1));
    requires weight: \valid(weight + (0 .. count - 1));
    requires separated: \separated(weight + (0 .. count - 1), score + (0 .. count - 1));
    terminates \true;
    assigns weight[0 .. count - 1];
    ensures encloses: \forall rvec s; finite_double(largest) ==> scores_stored{Pre}(score, s, count) ==>
      \forall integer j; 0 <= j < count ==> in_range(weight[j].lo, weight[j].hi, rexp_shifted(entry(s, j), largest));
    ensures sum: \forall rvec s; finite_double(largest) ==> scores_stored{Pre}(score, s, count) ==>
      in_range(\result.lo, \result.hi, real_sum_exp_shifted(s, largest, count)); */
static range exponentials(range *weight, const double *score, double largest, int count) {
  range sum = {0.0, 0.0};
  /*@ loop invariant position: 0 <= j <= count;
      loop invariant encloses: \forall rvec s; finite_double(largest) ==> scores_stored{Pre}(score, s, count) ==>
        \forall integer m; 0 <= m < j ==> in_range(weight[m].lo, weight[m].hi, rexp_shifted(entry(s, m), largest));
      loop invariant sum: \forall rvec s; finite_double(largest) ==> scores_stored{Pre}(score, s, count) ==>
        in_range(sum.lo, sum.hi, real_sum_exp_shifted(s, largest, j));
      loop assigns j, sum, weight[0 .. count - 1];
      loop variant count - j; */
  for (int j = 0; j < count; j++) {
    //@ assert kept: score[j] == \at(score[\at(j, Here)], Pre);
    const range e = exponential(score[j], largest);
    /*@ assert here: \forall rvec s; finite_double(largest) ==> scores_stored{Pre}(score, s, count) ==>
          in_range(e.lo, e.hi, rexp_shifted(entry(s, j), largest)); */
    weight[j] = e;
    sum = range_add(sum, e);
  }
  return sum;
}

void softmax_remainder_weights(range *weight, double *middle, const double *score, int count) {
  const double largest = largest_score(score, count);
  const range sum = exponentials(weight, score, largest, count);
  /*@ loop invariant position: 0 <= j <= count;
      loop invariant divided: \forall rvec s; scores_stored{Pre}(score, s, count) ==> \forall integer m; 0 <= m < j ==>
        in_range(weight[m].lo, weight[m].hi, real_softmax(s, count, m));
      loop invariant rest: \forall rvec s; scores_stored{Pre}(score, s, count) ==> \forall integer m; j <= m < count ==>
        in_range(weight[m].lo, weight[m].hi, rexp_shifted(entry(s, m), largest));
      loop assigns j, weight[0 .. count - 1], middle[0 .. count - 1];
      loop variant count - j; */
  for (int j = 0; j < count; j++) {
    const range share = range_div(weight[j], sum);
    /*@ assert share: \forall rvec s; scores_stored{Pre}(score, s, count) ==>
          in_range(share.lo, share.hi, real_softmax_shifted(s, largest, count, j)); */
    weight[j] = share;
    middle[j] = range_middle(share);
  }
}
