#include "certify/enclosure/attention_enclosure.h"
#include "interval/interval_arith.h"

void scaled_row_add(interval *out, const interval *a, const interval *x, int n, interval_scratch *ws) {
  /*@ loop invariant range: 0 <= c <= n;
      loop invariant done: row_plus{Pre, Pre, Here}(out, a, x, c);
      loop invariant rest: kept{Pre, Here}(out, c, n);
      loop assigns c, out[0 .. n - 1], *ws;
      loop variant n - c; */
  for (int c = 0; c < n; c++) {
    //@ ghost Before:;
    //@ assert factor: \forall real y; in{Pre}(a, y) ==> in(a, y);
    //@ assert entry: \forall real z; in{Pre}(x + c, z) ==> in(x + c, z);
    //@ assert old: \forall real s; in{Pre}(out + c, s) ==> in(out + c, s);
    interval_fma(&out[c], a, &x[c], &out[c], ws);
    /*@ assert term: \forall real s, y, z;
          in{Pre}(a, y) ==> in{Pre}(x + c, z) ==> in{Pre}(out + c, s) ==> in(out + c, s + prod(y, z)); */
    //@ assert below: kept{Before, Here}(out, 0, c);
    //@ assert above: kept{Before, Here}(out, c + 1, n);
  }
}
