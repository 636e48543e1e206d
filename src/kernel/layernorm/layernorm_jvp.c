#include "kernel/linear/arithmetic.h"
#include "kernel/layernorm/layernorm.h"
#include "kernel/linear/vector.h"

void layernorm_jvp(double *dy, const double *gamma, const double *z, double s, const double *dx, int d) {
  const double total = vector_sum(dx, d), along = vector_dot(z, dx, d);
  /*@ loop invariant range: 0 <= a <= d;
      loop invariant done: \forall integer q; 0 <= q < a ==> dy[q] == layernorm_jvp{Pre}(gamma, z, s, dx, d, q);
      loop assigns a, dy[0 .. d - 1];
      loop variant d - a; */
  for (int a = 0; a < d; a++) {
    /*@ assert same: z[a] == \at(z[\at(a, Here)], Pre) && gamma[a] == \at(gamma[\at(a, Here)], Pre) &&
                     dx[a] == \at(dx[\at(a, Here)], Pre); */
    const double mean = divide(total + times(z[a], along), (double)d);
    //@ assert mean: mean == quo(sum{Pre}(dx, d) + prod(\at(z[\at(a, Here)], Pre), dot{Pre}(z, dx, d)), d);
    dy[a] = divide(times(gamma[a], dx[a] - mean), s);
    //@ assert entry: dy[a] == layernorm_jvp{Pre}(gamma, z, s, dx, d, a);
  }
}
