#include "certify/enclosure/attention_enclosure.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"

void shifted_exponential_enclosure(interval *p, const interval *shift, int n) {
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant contains: \forall integer t, real x, c; 0 <= t < j ==>
        in{Pre}(shift, c) ==> in{Pre}(p + t, x) ==> in(p + t, rexp_shifted(x, c));
      loop invariant rest: \forall integer t, real x; j <= t < n ==> in{Pre}(p + t, x) ==> in(p + t, x);
      loop assigns j, p[0 .. n - 1];
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    //@ ghost Before:;
    interval_sub(&p[j], &p[j], shift);
    //@ assert difference: \forall real x, c; in{Pre}(shift, c) ==> in{Pre}(p + j, x) ==> in(p + j, x - c);
    interval_exp(&p[j], &p[j]);
    /*@ assert exponential: \forall real x, c; in{Pre}(shift, c) ==> in{Pre}(p + j, x) ==>
          in(p + j, rexp_shifted(x, c)); */
    //@ assert kept: \forall integer t, real y; 0 <= t < n && t != j ==> in{Before}(p + t, y) ==> in(p + t, y);
  }
}
