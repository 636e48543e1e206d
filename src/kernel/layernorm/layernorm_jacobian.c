#include "kernel/linear/arithmetic.h"
#include "kernel/linear/index.h"
#include "kernel/layernorm/layernorm.h"

/* Row a of the Jacobian. */
/*@ requires side: side(d) && 0 <= a < d;
    requires scale: 0.0 < s;
    requires valid: \valid(out + (0 .. d - 1));
    requires valid_read: \valid_read(gamma + (0 .. d - 1)) && \valid_read(z + (0 .. d - 1));
    requires separated: \separated(out + (0 .. d - 1), gamma + (0 .. d - 1)) &&
                        \separated(out + (0 .. d - 1), z + (0 .. d - 1));
    terminates \true;
    assigns out[0 .. d - 1];
    ensures result: \forall integer b; 0 <= b < d ==> out[b] == layernorm_jacobian{Pre}(gamma, z, s, d, a, b); */
static void jacobian_row(double *out, const double *gamma, const double *z, double s, int a, int d) {
  /*@ loop invariant range: 0 <= b <= d;
      loop invariant done: \forall integer q; 0 <= q < b ==> out[q] == layernorm_jacobian{Pre}(gamma, z, s, d, a, q);
      loop assigns b, out[0 .. d - 1];
      loop variant d - b; */
  for (int b = 0; b < d; b++) {
    const double delta = a == b ? 1.0 : 0.0;
    //@ assert same: gamma[a] == \at(gamma[a], Pre) && z[a] == \at(z[a], Pre) && z[b] == \at(z[\at(b, Here)], Pre);
    const double removed = divide(1.0 + times(z[a], z[b]), (double)d);
    //@ assert removed: removed == quo(1.0 + prod(\at(z[a], Pre), \at(z[\at(b, Here)], Pre)), d);
    const double entry = divide(times(gamma[a], delta - removed), s);
    /*@ assert entry: entry == layernorm_derivative(\at(gamma[a], Pre), delta, \at(z[a], Pre),
                                                    \at(z[\at(b, Here)], Pre), s, d); */
    out[b] = entry;
  }
}

void layernorm_jacobian(double *jacobian, const double *gamma, const double *z, double s, int d) {
  /*@ loop invariant range: 0 <= a;
      loop invariant done: \forall integer q, b; 0 <= q < a ==> 0 <= b < d ==>
                           jacobian[row(q, d) + b] == layernorm_jacobian{Pre}(gamma, z, s, d, q, b);
      loop assigns a, jacobian[0 .. row(d, d) - 1];
      loop variant d - a; */
  for (int a = 0; a < d; a++) {
    const int start = row_offset(a, d, d);
    //@ assert above: \forall integer q; 0 <= q < a ==> 0 <= row(q, d) && row(q, d) + d <= row(a, d);
    //@ assert end: row(a, d) + d <= row(d, d);
    //@ assert same: \forall integer b; 0 <= b < d ==> gamma[b] == \at(gamma[b], Pre) && z[b] == \at(z[b], Pre);
    //@ ghost Before:;
    jacobian_row(jacobian + start, gamma, z, s, a, d);
    /*@ assert current: \forall integer b; 0 <= b < d ==>
                        jacobian[row(a, d) + b] == layernorm_jacobian{Pre}(gamma, z, s, d, a, b); */
    /*@ assert kept: \forall integer q, b; 0 <= q < a ==> 0 <= b < d ==>
                     jacobian[row(q, d) + b] == \at(jacobian[row(q, d) + b], Before); */
  }
}
