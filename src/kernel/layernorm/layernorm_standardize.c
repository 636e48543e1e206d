#include "kernel/linear/arithmetic.h"
#include "kernel/layernorm/layernorm.h"
#include "kernel/linear/libm.h"
#include "kernel/linear/vector.h"

/* |x - centre|^2: two passes over x, without the cancellation of |x|^2 - d centre^2. */
/*@ requires size: 0 <= d;
    requires valid: \valid_read(x + (0 .. d - 1));
    terminates \true;
    assigns \nothing;
    ensures result: \result == sum_of_squares{Pre}(x, centre, d); */
static double squared_distance(const double *x, double centre, int d) {
  double s = 0.0;
  /*@ loop invariant range: 0 <= t <= d;
      loop invariant partial: s == sum_of_squares{Pre}(x, centre, t);
      loop assigns t, s;
      loop variant d - t; */
  for (int t = 0; t < d; t++) {
    const double deviation = x[t] - centre;
    s += deviation * deviation;
  }
  return s;
}

double layernorm_standardize(double *z, const double *x, double eps, int d) {
  const double centre = divide(vector_sum(x, d), (double)d);
  const double scale = sqrt(divide(squared_distance(x, centre, d), (double)d) + eps);
  /*@ loop invariant range: 0 <= a <= d;
      loop invariant done: \forall integer q; 0 <= q < a ==> z[q] == quo(\at(x[q], Pre) - centre, scale);
      loop invariant rest: \forall integer q; a <= q < d ==> x[q] == \at(x[q], Pre);
      loop assigns a, z[0 .. d - 1];
      loop variant d - a; */
  for (int a = 0; a < d; a++) z[a] = divide(x[a] - centre, scale);
  return scale;
}
