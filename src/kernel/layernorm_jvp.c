#include "kernel/divide.h"
#include "kernel/layernorm.h"
#include "kernel/vector.h"

void layernorm_jvp(double *dy, const double *gamma, const double *z, double s, const double *dx, int d) {
  const double total = vector_sum(dx, d), along = vector_dot(z, dx, d);
  /*@ loop invariant range: 0 <= a <= d;
      loop invariant done: \forall integer q; 0 <= q < a ==> dy[q] == layernorm_jvp{Pre}(gamma, z, s, dx, d, q);
      loop assigns a, dy[0 .. d - 1];
      loop variant d - a; */
  for (int a = 0; a < d; a++) {
    const double mean = divide(total + z[a] * along, (double)d);
    //@ assert mean: mean == quo(sum{Pre}(dx, d) + prod(\at(z[\at(a, Here)], Pre), dot{Pre}(z, dx, d)), d);
    const double centred = dx[a] - mean;
    //@ assert product: gamma[a] * centred == prod(gamma[a], centred);
    dy[a] = divide(gamma[a] * centred, s);
    //@ assert entry: dy[a] == layernorm_jvp{Pre}(gamma, z, s, dx, d, a);
  }
}
