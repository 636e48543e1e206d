/* Inner products and matrix-vector products, term by term: each partial sum contains the exact one, by containment of
 * the product and of the sum. */
#include "interval/endpoint.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_special.h"
#include "interval/interval_vec.h"

#ifdef __FRAMAC__
#include "arithmetic/product_order_lemmas.acsl"
#endif

void interval_dot(interval *r, const interval *a, const interval *b, size_t n, interval_scratch *ws) {
  interval_set_zero(r);
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant contains: \forall rvec x, y, integer o; in_vec{Pre}(a, x, o, n) ==> in_vec{Pre}(b, y, 0, n) ==>
        in(r, real_dot(x, y, o, i));
      loop assigns i, *r, *ws;
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) {
    //@ assert left: \forall real s; in{Pre}(a + i, s) ==> in(a + i, s);
    //@ assert right: \forall real s; in{Pre}(b + i, s) ==> in(b + i, s);
    /*@ assert term: \forall rvec x, y, integer o; in_vec{Pre}(a, x, o, n) ==> in_vec{Pre}(b, y, 0, n) ==>
          in(a + i, entry(x, o + i)) && in(b + i, entry(y, i)) && in(r, real_dot(x, y, o, i)); */
    interval_fma(r, &a[i], &b[i], r, ws);
    /*@ assert sum: \forall rvec x, y, integer o; in_vec{Pre}(a, x, o, n) ==> in_vec{Pre}(b, y, 0, n) ==>
          in(r, real_dot(x, y, o, i + 1)); */
  }
}

/* r + x y. An exact lower product (ternary value 0) is the upper product too: doubles at 106 bits always, so that the
 * usual term costs one multiplication and two additions. A NaN reaches both ends of r and so claims nothing.
 * The product is scratch. */
/*@ requires valid: \valid(r) && \valid(product) && \valid_read(x) && \valid_read(y);
    requires live: live(r) && live(product) && initialised(x) && initialised(y);
    requires separated: \separated(r, product, x) && \separated(r, product, y);
    requires points: (number(x) || nan(x)) && (number(y) || nan(y));
    terminates \true;
    assigns *r, *product;
    ensures contains: \forall real s, u, v; is_point{Pre}(x, u) ==> is_point{Pre}(y, v) ==> in{Pre}(r, s) ==>
      in(r, s + prod(u, v)); */
static void add_point_product(interval *r, mpfr_srcptr x, mpfr_srcptr y, interval *product) {
  const bool exact = mpfr_mul(product->lo, x, y, MPFR_RNDD) == 0;
  mpfr_add(r->lo, r->lo, product->lo, MPFR_RNDD);
  if (exact) {
    mpfr_add(r->hi, r->hi, product->lo, MPFR_RNDU);
  } else {
    mpfr_mul(product->hi, x, y, MPFR_RNDU);
    mpfr_add(r->hi, r->hi, product->hi, MPFR_RNDU);
  }
}

void interval_dot_points(interval *r, const point *a, const point *b, size_t n, interval_scratch *ws) {
  interval_set_zero(r);
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant contains: \forall rvec x, y, integer o; is_vec{Pre}(a, x, o, n) ==> is_vec{Pre}(b, y, 0, n) ==>
        in(r, real_dot(x, y, o, i));
      loop assigns i, *r, *ws;
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) {
    //@ assert left: \forall real s; is_point{Pre}(&(a + i)->v[0], s) ==> is_point(&(a + i)->v[0], s);
    //@ assert right: \forall real s; is_point{Pre}(&(b + i)->v[0], s) ==> is_point(&(b + i)->v[0], s);
    /*@ assert term: \forall rvec x, y, integer o; is_vec{Pre}(a, x, o, n) ==> is_vec{Pre}(b, y, 0, n) ==>
          is_point(&(a + i)->v[0], entry(x, o + i)) && is_point(&(b + i)->v[0], entry(y, i)) &&
          in(r, real_dot(x, y, o, i)); */
    add_point_product(r, a[i].v, b[i].v, &ws->q);
    /*@ assert sum: \forall rvec x, y, integer o; is_vec{Pre}(a, x, o, n) ==> is_vec{Pre}(b, y, 0, n) ==>
          in(r, real_dot(x, y, o, i + 1)); */
  }
}

/* r = a y for an exact y: a negative y exchanges the ends. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(y);
    requires live: live(r) && live(a) && initialised(y);
    requires separated: \separated(r, a) && \separated(r, y);
    requires points: number(y) || nan(y);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x, v; in{Pre}(a, x) ==> is_point{Pre}(y, v) ==> in(r, prod(x, v)); */
static void mul_point(interval *r, const interval *a, mpfr_srcptr y) {
  if (interval_special(r, a)) return;
  if (mpfr_nan_p(y)) {
    interval_set_whole(r);
    return;
  }
  const bool increasing = mpfr_sgn(y) >= 0;
  endpoint_mul(r->lo, increasing ? a->lo : a->hi, y, MPFR_RNDD);
  //@ assert below: \forall real x; in{Pre}(a, x) ==> at_most(&r->lo[0], prod(x, value{Pre}(y)));
  //@ ghost Below:;
  endpoint_mul(r->hi, increasing ? a->hi : a->lo, y, MPFR_RNDU);
  //@ assert kept: unchanged{Below, Here}(&r->lo[0]);
  //@ assert above: \forall real x; in{Pre}(a, x) ==> at_least(&r->hi[0], prod(x, value{Pre}(y)));
}

void interval_dot_mixed(interval *r, const interval *a, const point *b, size_t n, interval_scratch *ws) {
  interval_set_zero(r);
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant contains: \forall rvec x, y, integer o; in_vec{Pre}(a, x, o, n) ==> is_vec{Pre}(b, y, 0, n) ==>
        in(r, real_dot(x, y, o, i));
      loop assigns i, *r, *ws;
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) {
    //@ assert left: \forall real s; in{Pre}(a + i, s) ==> in(a + i, s);
    //@ assert right: \forall real s; is_point{Pre}(&(b + i)->v[0], s) ==> is_point(&(b + i)->v[0], s);
    /*@ assert term: \forall rvec x, y, integer o; in_vec{Pre}(a, x, o, n) ==> is_vec{Pre}(b, y, 0, n) ==>
          in(a + i, entry(x, o + i)) && is_point(&(b + i)->v[0], entry(y, i)) && in(r, real_dot(x, y, o, i)); */
    //@ ghost Before:;
    mul_point(&ws->q, &a[i], b[i].v);
    //@ assert kept: \forall real s; in{Before}(r, s) ==> in(r, s);
    interval_add(r, r, &ws->q);
    /*@ assert sum: \forall rvec x, y, integer o; in_vec{Pre}(a, x, o, n) ==> is_vec{Pre}(b, y, 0, n) ==>
          in(r, real_dot(x, y, o, i + 1)); */
  }
}
