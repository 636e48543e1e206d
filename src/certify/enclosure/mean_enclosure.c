#include "certify/enclosure/attention_enclosure.h"
#include "interval/interval_set.h"
#include "kernel/linear/index.h"

/* Real vectors whose mean is asked for, and partial sums of it. */
/*@ predicate encloses_partial_mean{L1, L2}(interval *y, interval *p, interval *values, integer n, integer k,
      integer j) =
      \forall rvec w, v; in_vec{L1}(p, w, 0, n) ==> in_vec{L1}(values, v, 0, row(n, k)) ==>
      \forall integer r; 0 <= r < k ==> in{L2}(y + r, real_dot(w, matrix_column(v, k, r), 0, j)); */

/*@ requires side: side(n);
    requires valid: \valid(y + (0 .. n - 1));
    requires live: live_vec(y, n);
    terminates \true;
    assigns y[0 .. n - 1];
    ensures zero: \forall integer t; 0 <= t < n ==> in(y + t, 0.0); */
static void set_zero(interval *y, int n) {
  /*@ loop invariant range: 0 <= r <= n;
      loop invariant zero: \forall integer t; 0 <= t < r ==> in(y + t, 0.0);
      loop assigns r, y[0 .. n - 1];
      loop variant n - r; */
  for (int r = 0; r < n; r++) {
    //@ ghost Before:;
    interval_set_zero(&y[r]);
    //@ assert others: kept{Before, Here}(y, 0, r);
  }
}

void mean_enclosure(interval *y, const interval *p, const interval *values, int n, int k, interval_scratch *ws) {
  set_zero(y, k);
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant partial: encloses_partial_mean{Pre, Here}(y, p, values, n, k, j);
      loop assigns j, y[0 .. k - 1], *ws;
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    const int start = row_offset(j, k, n);
    //@ ghost Before:;
    //@ assert weights: kept{Pre, Here}(p, 0, n);
    //@ assert values: kept{Pre, Here}(values, 0, row(n, k));
    //@ assert inside: 0 <= start && start + k <= row(n, k);
    //@ assert factor: kept{Pre, Here}(p + j, 0, 1);
    //@ assert value: kept{Pre, Here}(values + start, 0, k);
    scaled_row_add(y, &p[j], values + start, k, ws);
    //@ assert added: row_plus{Before, Before, Here}(y, p + j, values + start, k);
    //@ assert row_term: row_plus{Pre, Before, Here}(y, p + j, values + start, k);
    /*@ assert entries: \forall integer r, real s, a, x; 0 <= r < k ==> in{Pre}(p + j, a) ==>
          entry_in{Pre}(values + start, r, x) ==> in{Before}(y + r, s) ==> in(y + r, s + prod(a, x)); */
    /*@ assert shifted: \forall integer r, real x; in{Pre}(values + (start + r), x) ==>
          entry_in{Pre}(values + start, r, x); */
    /*@ assert term: \forall integer r, real s, a, x; 0 <= r < k ==> in{Pre}(p + j, a) ==>
          in{Pre}(values + (start + r), x) ==> in{Before}(y + r, s) ==> in(y + r, s + prod(a, x)); */
    /*@ assert next: \forall rvec w, v; in_vec{Pre}(p, w, 0, n) ==> in_vec{Pre}(values, v, 0, row(n, k)) ==>
          \forall integer r; 0 <= r < k ==> in(y + r, real_dot(w, matrix_column(v, k, r), 0, j) +
            prod(entry(w, j), entry(matrix_column(v, k, r), j))); */
  }
}
