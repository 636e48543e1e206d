#include "executed_batchnorm.h"

#include <math.h>

static double computed(double x, const execution *e) {
  return execution_computed(x, e);
}

/* A constant of the code, off by one or two roundings, not stored. */
static double epsilon_of(double epsilon, const execution *e) {
  const double near = computed(epsilon, e);
  if (!e->m.off || e->m.wide || near == epsilon) return near;
  return nextafterf((float)near, epsilon > near ? INFINITY : -INFINITY);
}

/* The sum fused with the product before it, or not. */
static double multiply_add(double a, double b, double c, const execution *e) {
  return e->m.order == 3 ? computed(a * b + c, e) : computed(computed(a * b, e) + c, e);
}

void executed_batchnorm(double *y, const step_batchnorm_parameters *of, const double *x, const execution *e) {
  for (int c = 0; c < of->cols; c++) {
    const double weight = of->weight != NULL ? execution_weight(of->weight[c], e) : 1.0;
    const double bias = of->bias != NULL ? execution_weight(of->bias[c], e) : 0.0;
    const double mean = execution_weight(of->mean[c], e), variance = execution_weight(of->variance[c], e);
    const double square = computed(variance + epsilon_of(of->epsilon, e), e);
    const double root = computed(sqrt(square), e), inverse = execution_function(1.0 / sqrt(square), e);
    const double apart = computed(x[c] - mean, e), factor = computed(inverse * weight, e);
    const double folded = computed(bias - computed(mean * factor, e), e);
    const double ways[] = {
        multiply_add(computed(apart * inverse, e), weight, bias, e),
        multiply_add(computed(apart / root, e), weight, bias, e),
        multiply_add(apart, factor, bias, e),
        multiply_add(computed(apart * weight, e), computed(1.0 / root, e), bias, e),
        multiply_add(x[c], factor, folded, e),
        multiply_add(x[c], computed(weight / root, e),
                     computed(bias - computed(mean * computed(weight / root, e), e), e), e),
    };
    y[c] = execution_stored(ways[e->m.grouping % 6], e);
  }
}
