#include "certify/enclosure/attention_enclosure.h"
#include "interval/interval_arith.h"
#include "kernel/linear/index.h"

/*@ predicate encloses_scores{L1, L2}(interval *s, interval *q, interval *keys, interval *root, integer n, integer k,
                                      integer j) =
      \forall rvec x, m, real r;
      0.0 < r ==> in{L1}(root, r) ==> in_vec{L1}(q, x, 0, k) ==> in_vec{L1}(keys, m, 0, row(n, k)) ==>
      \forall integer t; 0 <= t < j ==> in{L2}(s + t, entry(real_scores(x, m, r, k), t)); */

void score_enclosure(interval *s, const interval *q, const interval *keys, const interval *root, int n, int k,
                     interval_scratch *ws) {
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant contains: encloses_scores{Pre, Here}(s, q, keys, root, n, k, j);
      loop assigns j, s[0 .. n - 1], *ws;
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    const int start = row_offset(j, k, n);
    //@ ghost Before:;
    //@ assert query: kept{Pre, Here}(q, 0, k);
    //@ assert keys: kept{Pre, Here}(keys, 0, row(n, k));
    //@ assert inside: 0 <= start && start + k <= row(n, k);
    //@ assert key: kept{Pre, Here}(keys + start, 0, k);
    //@ assert divisor: \forall real r; in{Pre}(root, r) ==> in(root, r);
    /*@ assert row: \forall rvec m; in_vec{Pre}(keys, m, 0, row(n, k)) ==>
          in_vec{Pre}(keys + start, matrix_row(m, k, j), 0, k); */
    /*@ assert rows: \forall rvec x, m; in_vec{Pre}(q, x, 0, k) ==> in_vec{Pre}(keys, m, 0, row(n, k)) ==>
          in_vec(q, x, 0, k) && in_vec(keys + start, matrix_row(m, k, j), 0, k); */
    interval_dot(&s[j], q, keys + start, (size_t)k, ws);
    /*@ assert product: \forall rvec x, m; in_vec{Pre}(q, x, 0, k) ==> in_vec{Pre}(keys, m, 0, row(n, k)) ==>
          in(s + j, real_dot(x, matrix_row(m, k, j), 0, k)); */
    //@ assert divisor_kept: \forall real r; in{Pre}(root, r) ==> in(root, r);
    //@ assert others_product: kept{Before, Here}(s, 0, j);
    //@ ghost Product:;
    interval_div(&s[j], &s[j], root, ws);
    //@ assert others_quotient: kept{Product, Here}(s, 0, j);
    /*@ assert quotient: \forall rvec x, m, real r; 0.0 < r ==> in{Pre}(root, r) ==> in_vec{Pre}(q, x, 0, k) ==>
          in_vec{Pre}(keys, m, 0, row(n, k)) ==> in(s + j, real_score(x, m, r, k, j)); */
    //@ assert others: kept{Before, Here}(s, 0, j);
  }
}
