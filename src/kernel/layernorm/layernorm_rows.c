#include "kernel/linear/arithmetic.h"
#include "kernel/linear/index.h"
#include "kernel/layernorm/layernorm.h"

/* out = LN(x) for one token; out may be x. */
/*@ requires side: side(d) && 1 <= d;
    requires eps: 0.0 < eps;
    requires valid: \valid(out + (0 .. d - 1)) && \valid_read(x + (0 .. d - 1));
    requires valid_weights: \valid_read(gamma + (0 .. d - 1)) && \valid_read(beta + (0 .. d - 1));
    requires alias: out == x || \separated(out + (0 .. d - 1), x + (0 .. d - 1));
    requires separated: \separated(out + (0 .. d - 1), gamma + (0 .. d - 1)) &&
                        \separated(out + (0 .. d - 1), beta + (0 .. d - 1));
    terminates \true;
    assigns out[0 .. d - 1];
    ensures result: \forall integer a; 0 <= a < d ==> out[a] == layernorm{Pre}(x, gamma, beta, eps, d, a); */
static void layernorm_row(double *out, const double *x, const double *gamma, const double *beta, double eps, int d) {
  layernorm_standardize(out, x, eps, d);
  /*@ loop invariant range: 0 <= a <= d;
      loop invariant done: \forall integer q; 0 <= q < a ==> out[q] == layernorm{Pre}(x, gamma, beta, eps, d, q);
      loop invariant rest: \forall integer q; a <= q < d ==> out[q] == standardized{Pre}(x, eps, d, q);
      loop assigns a, out[0 .. d - 1];
      loop variant d - a; */
  for (int a = 0; a < d; a++) {
    //@ assert same: gamma[a] == \at(gamma[\at(a, Here)], Pre) && beta[a] == \at(beta[\at(a, Here)], Pre);
    out[a] = times(gamma[a], out[a]) + beta[a];
    //@ assert entry: out[a] == layernorm{Pre}(x, gamma, beta, eps, d, a);
  }
}

void layernorm_rows(double *out, const double *x, int n, int d, const double *gamma, const double *beta, double eps) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant done: \forall integer q, a; 0 <= q < i ==> 0 <= a < d ==>
                           out[row(q, d) + a] == layernorm{Pre}(x + row(q, d), gamma, beta, eps, d, a);
      loop invariant rest: \forall integer e; row(i, d) <= e < row(n, d) ==> x[e] == \at(x[e], Pre);
      loop assigns i, out[0 .. row(n, d) - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    const int start = row_offset(i, d, n);
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, d) && row(q, d) + d <= row(i, d);
    //@ assert below: row(i + 1, d) == row(i, d) + d && row(i, d) + d <= row(n, d);
    //@ ghost Before:;
    /*@ assert same_entries: \forall integer e; row(i, d) <= e < row(i, d) + d ==>
                             \at(x[e], Before) == \at(x[e], Pre); */
    //@ assert same: same_vector{Before, Pre}(x + row(i, d), d);
    //@ assert same_gamma: same_vector{Before, Pre}(gamma, d);
    //@ assert same_beta: same_vector{Before, Pre}(beta, d);
    /*@ assert same_row: \forall integer a; 0 <= a < d ==> layernorm{Before}(x + row(i, d), gamma, beta, eps, d, a) ==
                         layernorm{Pre}(x + row(i, d), gamma, beta, eps, d, a); */
    layernorm_row(out + start, x + start, gamma, beta, eps, d);
    /*@ assert current: \forall integer a; 0 <= a < d ==>
                        out[row(i, d) + a] == layernorm{Pre}(x + row(i, d), gamma, beta, eps, d, a); */
    /*@ assert kept: \forall integer q, a; 0 <= q < i ==> 0 <= a < d ==>
                     out[row(q, d) + a] == \at(out[row(q, d) + a], Before); */
    /*@ assert before: \forall integer q, a; 0 <= q < i ==> 0 <= a < d ==>
                       out[row(q, d) + a] == layernorm{Pre}(x + row(q, d), gamma, beta, eps, d, a); */
  }
}
