/* Midpoints of intervals, and how far from them the intervals reach: every vector inside a vector of intervals is
 * within the root of the sum of the squared radii of the vector of midpoints, in the Euclidean norm. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_INTERVAL_MIDPOINT_H
#define ATTCERT_CERTIFY_EXPLICIT_INTERVAL_MIDPOINT_H

#include "interval/interval_vec.h"
#include "linalg/rounding/sum_upward.h"

#ifdef __FRAMAC__
#include "interval/midpoint.acsl"
#endif

/* mid := the midpoint of x, rounded; sum += the square of the distance to the farther end, upward. Where x is
 * unbounded, mid is 0 and sum +inf. right, left: scratch. */
/*@ requires valid: \valid(mid) && \valid(sum) && \valid_read(x) && \valid(right) && \valid(left);
    requires live: initialised(mid) && initialised(sum) && live(x) && initialised(right) && initialised(left);
    requires separated: \separated(mid, sum, x, right, left);
    terminates \true;
    assigns *mid, *sum, *right, *left;
    ensures apart: \forall real s, y; at_least{Pre}(sum, s) ==> in{Pre}(x, y) ==> number(mid) ==>
      at_least(sum, s + prod(y - value(mid), y - value(mid)));
    ensures below: \forall real s; at_least{Pre}(sum, s) ==> at_least(sum, s);
    ensures number: \forall real s; at_least{Pre}(sum, s) ==> number(mid) || plus_infinity(sum);
    ensures unbounded: plus_infinity{Pre}(sum) ==> plus_infinity(sum); */
void interval_midpoint(mpfr_ptr mid, mpfr_ptr sum, const interval *x, mpfr_ptr right, mpfr_ptr left);

/*@ predicate numbers_or_infinite{L}(mpfr_srcptr sum, point *mid, integer n) =
      plus_infinity(sum) || (number(sum) && \forall integer i; 0 <= i < n ==> number(&(mid + i)->v[0]));
    // x is none of the blocks of memory that are written.
    predicate beside_midpoints(char *x, point *mid, mpfr_ptr sum, mpfr_ptr right, mpfr_ptr left) =
      x != \base_addr(mid) && x != \base_addr(sum) && x != \base_addr(right) && x != \base_addr(left);
    // x is none of the numbers that are written.
    predicate outside_midpoints(mpfr_srcptr x, point *mid, integer n, mpfr_ptr sum, mpfr_ptr right, mpfr_ptr left) =
      \separated(x, mid + (0 .. n - 1)) && \separated(x, sum) && \separated(x, right) && \separated(x, left); */

/* The same of n entries. */
/*@ requires valid: \valid(mid + (0 .. n - 1)) && \valid(sum) && \valid_read(x + (0 .. n - 1)) && \valid(right) &&
      \valid(left);
    requires live: live_points(mid, n) && initialised(sum) && live_vec(x, n) && initialised(right) && initialised(left);
    requires separated: \separated(mid + (0 .. n - 1), sum, x + (0 .. n - 1), right, left);
    terminates \true;
    assigns mid[0 .. n - 1], *sum, *right, *left;
    ensures ints: \forall int *x; beside_midpoints(\base_addr(x), mid, sum, right, left) ==> *x == \old(*x);
    ensures longs: \forall long *x; beside_midpoints(\base_addr(x), mid, sum, right, left) ==> *x == \old(*x);
    ensures others: \forall mpfr_srcptr x; beside_midpoints(\base_addr(x), mid, sum, right, left) ==>
      unchanged{Pre, Post}(x);
    ensures outside: \forall mpfr_srcptr x; outside_midpoints(x, mid, n, sum, right, left) ==> unchanged{Pre, Post}(x);
    ensures apart: \forall real s, rvec y, m; at_least{Pre}(sum, s) ==> in_vec{Pre}(x, y, 0, n) ==>
      points_are(mid, m, n) ==> at_least(sum, s + squared_distance(y, m, n));
    ensures below: \forall real s; at_least{Pre}(sum, s) ==> at_least(sum, s);
    ensures numbers: \forall real s; at_least{Pre}(sum, s) ==> numbers_or_infinite(sum, mid, n); */
void interval_midpoints(point *mid, mpfr_ptr sum, const interval *x, size_t n, mpfr_ptr right, mpfr_ptr left);

#endif
