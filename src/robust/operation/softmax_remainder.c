#include "robust/operation/softmax_remainder.h"

#include "robust/range/range_function.h"

void softmax_remainder_weights(range *weight, double *middle, const double *score, int count) {
  double largest = score[0];
  for (int j = 1; j < count; j++) largest = range_larger(largest, score[j]);
  range sum = {0.0, 0.0};
  for (int j = 0; j < count; j++) {
    const range below = range_sub(range_of(score[j]), range_of(largest));
    weight[j] = (range){range_exp(below.lo).lo, range_exp(below.hi).hi};
    sum = range_add(sum, weight[j]);
  }
  for (int j = 0; j < count; j++) {
    weight[j] = range_div(weight[j], sum);
    middle[j] = range_middle(weight[j]);
  }
}

/* theta: e^T - 1 - T. */
static double excess(double bound) {
  const range e = range_exp(bound);
  return range_sub_up(range_sub_up(e.hi, 1.0), bound);
}

void softmax_remainder(range *remainder, const range *weight, const double *middle, const double *bound, double drift,
                       int count) {
  double missed = 0.0, z = 0.0, total = 0.0;
  for (int j = 0; j < count; j++) {
    const double miss = range_radius(weight[j], middle[j]);
    missed = range_add_up(missed, miss);
    z = range_add_up(z, range_mul_up(miss, bound[j]));
    total = range_add_up(total, range_mul_up(weight[j].hi, excess(bound[j])));
  }
  z = range_add_up(z, range_mul_up(missed, drift)); /* |1 - sum p| <= sum |P - p| */
  if (!(z <= 0.5)) z = INFINITY;
  const range ratio =
      range_div(range_of(range_add_up(total, z)), range_of(range_add_down(range_add_down(1.0, total), z)));
  for (int j = 0; j < count; j++) {
    const double miss = range_radius(weight[j], middle[j]), reach = range_add_up(1.0, bound[j]);
    const double beside = range_mul_up(miss, reach);
    /* 2 z is exact */
    const double above = range_add_up(excess(bound[j]), range_mul_up(2.0 * z, range_exp(bound[j]).hi));
    const double below = range_mul_up(reach, ratio.hi);
    remainder[j] = (range){-range_add_up(range_mul_up(weight[j].hi, below), beside),
                           range_add_up(range_mul_up(weight[j].hi, above), beside)};
  }
}
