#include "robust/operation/operation_product.h"

double operation_product(double x_all, double x_in, double y_all, double y_in) {
  const double all = range_mul_up(x_all, y_all), in = range_mul_down(x_in, y_in);
  return in > 0.0 ? range_sub_half_up(all, in) : all;
}
