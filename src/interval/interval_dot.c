/* Inner products and matrix-vector products, term by term: each partial sum contains the exact one, by containment of
 * the product and of the sum. */
#include "interval/endpoint.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_special.h"
#include "interval/interval_vec.h"

void interval_dot(interval *r, const interval *a, const interval *b, size_t n, interval_scratch *ws) {
  interval_set_zero(r);
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant contains: \forall rvec x, y;
        in_vec{Pre}(a, x, 0, n) ==> in_vec{Pre}(b, y, 0, n) ==> in(r, real_dot(x, y, 0, i));
      loop assigns i, *r, *ws;
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) interval_fma(r, &a[i], &b[i], r, ws);
}

/* r + x y. An exact lower product (ternary value 0) is the upper product too: doubles at 106 bits always, so that the
 * usual term costs one multiplication and two additions. A NaN reaches both ends of r and so claims nothing. */
/*@ requires \valid(r) && \valid_read(x) && \valid_read(y) && \valid(ws);
    requires \separated(r, ws, x) && \separated(r, ws, y);
    requires (number(x) || nan(x)) && (number(y) || nan(y));
    assigns *r, *ws;
    ensures contains: number{Pre}(x) ==> number{Pre}(y) ==>
      \forall real s; in{Pre}(r, s) ==> in(r, s + prod(value{Pre}(x), value{Pre}(y))); */
static void add_point_product(interval *r, mpfr_srcptr x, mpfr_srcptr y, interval_scratch *ws) {
  const bool exact = mpfr_mul(ws->q.lo, x, y, MPFR_RNDD) == 0;
  mpfr_add(r->lo, r->lo, ws->q.lo, MPFR_RNDD);
  if (exact) {
    mpfr_add(r->hi, r->hi, ws->q.lo, MPFR_RNDU);
  } else {
    mpfr_mul(ws->q.hi, x, y, MPFR_RNDU);
    mpfr_add(r->hi, r->hi, ws->q.hi, MPFR_RNDU);
  }
}

void interval_dot_points(interval *r, const point *a, const point *b, size_t n, interval_scratch *ws) {
  interval_set_zero(r);
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant contains: \forall rvec x, y;
        is_vec{Pre}(a, x, 0, n) ==> is_vec{Pre}(b, y, 0, n) ==> in(r, real_dot(x, y, 0, i));
      loop assigns i, *r, *ws;
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) add_point_product(r, a[i].v, b[i].v, ws);
}

/* r = a y for an exact y: a negative y exchanges the ends. */
/*@ requires \valid(r) && \valid_read(a) && \valid_read(y) && \separated(r, a) && \separated(r, y);
    requires number(y) || nan(y);
    assigns *r;
    ensures contains: \forall real x; number{Pre}(y) ==> in{Pre}(a, x) ==> in(r, prod(x, value{Pre}(y))); */
static void mul_point(interval *r, const interval *a, mpfr_srcptr y) {
  if (interval_special(r, a)) return;
  if (mpfr_nan_p(y)) {
    interval_set_whole(r);
    return;
  }
  const bool increasing = mpfr_sgn(y) >= 0;
  endpoint_mul(r->lo, increasing ? a->lo : a->hi, y, MPFR_RNDD);
  endpoint_mul(r->hi, increasing ? a->hi : a->lo, y, MPFR_RNDU);
}

void interval_dot_mixed(interval *r, const interval *a, const point *b, size_t n, interval_scratch *ws) {
  interval_set_zero(r);
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant contains: \forall rvec x, y;
        in_vec{Pre}(a, x, 0, n) ==> is_vec{Pre}(b, y, 0, n) ==> in(r, real_dot(x, y, 0, i));
      loop assigns i, *r, *ws;
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) {
    mul_point(&ws->q, &a[i], b[i].v);
    interval_add(r, r, &ws->q);
  }
}

void interval_matvec(interval *y, const interval *m, const interval *x, size_t rows, size_t cols,
                     interval_scratch *ws) {
  /*@ loop invariant range: 0 <= i <= rows;
      loop invariant contains: \forall rvec u, v; in_vec{Pre}(m, u, 0, rows * cols) ==> in_vec{Pre}(x, v, 0, cols) ==>
        \forall integer j; 0 <= j < i ==> in(y + j, real_dot(u, v, j * cols, cols));
      loop assigns i, y[0 .. rows - 1], *ws;
      loop variant rows - i; */
  for (size_t i = 0; i < rows; i++) interval_dot(&y[i], &m[i * cols], x, cols, ws);
}
