#include "kernel/linear/arithmetic.h"
#include "kernel/layernorm/layernorm.h"
#include "kernel/linear/vector.h"

/* sum_t a_t b_t c_t */
/*@ requires size: 0 <= n;
    requires valid: \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1)) && \valid_read(c + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    ensures result: \result == dot3{Pre}(a, b, c, n); */
static double triple_dot(const double *a, const double *b, const double *c, int n) {
  double s = 0.0;
  /*@ loop invariant range: 0 <= t <= n;
      loop invariant partial: s == dot3{Pre}(a, b, c, t);
      loop assigns t, s;
      loop variant n - t; */
  for (int t = 0; t < n; t++) s += a[t] * b[t] * c[t];
  return s;
}

void layernorm_vjp(double *dx, const double *gamma, const double *z, double s, const double *c, int d) {
  const double total = vector_dot(gamma, c, d), along = triple_dot(gamma, c, z, d);
  /*@ loop invariant range: 0 <= b <= d;
      loop invariant done: \forall integer q; 0 <= q < b ==> dx[q] == layernorm_vjp{Pre}(gamma, z, s, c, d, q);
      loop assigns b, dx[0 .. d - 1];
      loop variant d - b; */
  for (int b = 0; b < d; b++) {
    const double mean = divide(total + times(z[b], along), (double)d);
    dx[b] = divide(times(gamma[b], c[b]) - mean, s);
    //@ assert entry: dx[b] == layernorm_vjp{Pre}(gamma, z, s, c, d, b);
  }
}
