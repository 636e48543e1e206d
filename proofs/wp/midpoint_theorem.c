/* The theorem about the midpoints of a matrix of intervals: every real matrix inside is within `radius` of the matrix
 * of midpoints, in the Frobenius norm, or `radius` is infinite.
 *
 * No program calls this function: explicit_jacobian_rows.c makes the same calls, for the rows of each token by itself,
 * and explicit_jacobian_midpoints.c sums up what they leave. */
#include "certify/explicit/interval_midpoint.h"

/*@ requires valid: \valid(radius) && \valid(mid + (0 .. n - 1)) && \valid(sum) && \valid_read(x + (0 .. n - 1)) &&
      \valid(right) && \valid(left);
    requires live: initialised(radius) && live_points(mid, n) && initialised(sum) && live_vec(x, n) &&
      initialised(right) && initialised(left);
    requires separated: \separated(radius, mid + (0 .. n - 1), sum, x + (0 .. n - 1), right, left);
    terminates \true;
    assigns *radius, mid[0 .. n - 1], *sum, *right, *left;
    ensures claims: plus_infinity(radius) || number(radius);
    ensures numbers: number(radius) ==> \forall integer i; 0 <= i < n ==> number(&mid[i].v[0]);
    ensures within: number(radius) ==> \forall rvec y, m; in_vec{Pre}(x, y, 0, n) ==> points_are(mid, m, n) ==>
      squared_distance(y, m, n) <= prod(value(radius), value(radius)); */
void midpoint_theorem(mpfr_ptr radius, point *mid, mpfr_ptr sum, const interval *x, size_t n, mpfr_ptr right,
                      mpfr_ptr left) {
  mpfr_set_zero(sum, 1);
  /*@ assert zero: at_least(sum, 0.0); */
  /*@ assert same: \forall rvec y; in_vec{Pre}(x, y, 0, n) ==> in_vec(x, y, 0, n); */
  interval_midpoints(mid, sum, x, n, right, left);
  /*@ assert sum: \forall rvec y, m; in_vec{Pre}(x, y, 0, n) ==> points_are(mid, m, n) ==>
        at_least(sum, squared_distance(y, m, n)); */
  /*@ assert not_negative: at_least(sum, 0.0); */
  //@ ghost Summed:;
  mpfr_sqrt(radius, sum, MPFR_RNDU);
  /*@ assert kept: \forall rvec m; points_are(mid, m, n) ==> points_are{Summed}(mid, m, n); */
  /*@ assert root: number(radius) ==> number{Summed}(sum) && rroot(value{Summed}(sum)) <= value(radius); */
  /*@ assert square: number(radius) ==> value{Summed}(sum) <= prod(value(radius), value(radius)); */
}
