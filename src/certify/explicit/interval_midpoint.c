#include "certify/explicit/interval_midpoint.h"

#include "interval/interval_query.h"

void interval_midpoint(mpfr_ptr mid, mpfr_ptr sum, const interval *x, mpfr_ptr right, mpfr_ptr left) {
  if (!interval_is_bounded(x)) {
    mpfr_set_zero(mid, 1);
    mpfr_set_inf(sum, 1);
    return;
  }
  mpfr_add(mid, x->lo, x->hi, MPFR_RNDN);
  mpfr_div_2ui(mid, mid, 1, MPFR_RNDN);
  mpfr_sub(right, x->hi, mid, MPFR_RNDU);
  /*@ assert right: number(mid) ==> at_least(right, value{Pre}(&x->hi[0]) - value(mid)); */
  mpfr_sub(left, mid, x->lo, MPFR_RNDU);
  /*@ assert left: number(mid) ==> at_least(left, value(mid) - value{Pre}(&x->lo[0])); */
  mpfr_max(right, right, left, MPFR_RNDU);
  /*@ assert radius: number(mid) ==> \forall real y; in{Pre}(x, y) ==>
        at_least(right, y - value(mid)) && at_least(right, value(mid) - y); */
  /*@ assert product: number(mid) ==> \forall real y; in{Pre}(x, y) ==> number(right) ==>
        prod(y - value(mid), y - value(mid)) <= prod(value(right), value(right)); */
  mpfr_sqr(right, right, MPFR_RNDU);
  /*@ assert not_negative: at_least(right, 0.0); */
  /*@ assert square: number(mid) ==> \forall real y; in{Pre}(x, y) ==>
        at_least(right, prod(y - value(mid), y - value(mid))); */
  mpfr_add(sum, sum, right, MPFR_RNDU);
}

void interval_midpoints(point *mid, mpfr_ptr sum, const interval *x, size_t n, mpfr_ptr right, mpfr_ptr left) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant apart: \forall real s, rvec y, m; at_least{Pre}(sum, s) ==> in_vec{Pre}(x, y, 0, i) ==>
        points_are(mid, m, i) ==> at_least(sum, s + squared_distance(y, m, i));
      loop invariant below: \forall real s; at_least{Pre}(sum, s) ==> at_least(sum, s);
      loop invariant numbers: \forall real s; at_least{Pre}(sum, s) ==>
        plus_infinity(sum) || (\forall integer k; 0 <= k < i ==> number(&mid[k].v[0]));
      loop assigns i, mid[0 .. n - 1], *sum, *right, *left;
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) {
    /*@ assert same: same_ends{Pre, Here}(x + i); */
    interval_midpoint(mid[i].v, sum, &x[i], right, left);
    /*@ assert earlier: \forall rvec m; points_are(mid, m, i) ==> points_are{LoopCurrent}(mid, m, i); */
    /*@ assert next: \forall rvec y, m; squared_distance(y, m, i + 1) ==
          squared_distance(y, m, i) + prod(entry(y, i) - entry(m, i), entry(y, i) - entry(m, i)); */
    /*@ assert members: \forall rvec y; in_vec{Pre}(x, y, 0, i + 1) ==>
          in_vec{Pre}(x, y, 0, i) && in{Pre}(x + i, entry(y, i)); */
    /*@ assert middles: \forall rvec m; points_are(mid, m, i + 1) ==>
          points_are(mid, m, i) && number(&mid[i].v[0]) && value(&mid[i].v[0]) == entry(m, i); */
    /*@ assert entry: \forall real s, y; at_least{LoopCurrent}(sum, s) ==> in{Pre}(x + i, y) ==>
          number(&mid[i].v[0]) ==> at_least(sum, s + prod(y - value(&mid[i].v[0]), y - value(&mid[i].v[0]))); */
    /*@ assert before: \forall real s, rvec y, m; at_least{Pre}(sum, s) ==> in_vec{Pre}(x, y, 0, i + 1) ==>
          points_are(mid, m, i + 1) ==> at_least{LoopCurrent}(sum, s + squared_distance(y, m, i)); */
    /*@ assert after: \forall real s, rvec y, m; at_least{Pre}(sum, s) ==> in_vec{Pre}(x, y, 0, i + 1) ==>
          points_are(mid, m, i + 1) ==> at_least(sum, s + squared_distance(y, m, i) +
                                                        prod(entry(y, i) - entry(m, i), entry(y, i) - entry(m, i))); */
  }
}
