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
