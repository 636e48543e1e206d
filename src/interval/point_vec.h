/* Vectors of exact numbers: weights and inputs as they are stored, without the cost of a second endpoint.
 *
 * A struct around mpfr_t (an array type), so that `const point *` is an ordinary pointer. A point is a number, or NaN,
 * which claims nothing; it is never infinite. */
#ifndef ATTCERT_INTERVAL_POINT_VEC_H
#define ATTCERT_INTERVAL_POINT_VEC_H

#include <mpfr.h>
#include <stddef.h>

#include "interval/mpfr_block.h"

#ifdef __FRAMAC__
#include "arithmetic/double.acsl"
#endif

typedef struct {
  mpfr_t v;
} point;

/*@ logic integer exact_for_doubles(integer precision) = precision < 53 ? 53 : precision;
    predicate live_point{L}(point *p) = initialised(&p->v[0]);
    predicate live_points{L}(point *p, integer n) = \forall integer t; 0 <= t < n ==> live_point(p + t); */

/* n zeros in one block of memory; NULL when out of memory. The precision is raised to 53 when less, so that doubles are
 * exact. Elements must not be cleared or swapped singly. */
/*@ requires precision: 1 <= precision <= MPFR_PREC_MAX;
    terminates \true;
    assigns \result, mpfr_lives \from n, precision;
    ensures valid: \result != \null ==> \valid(\result + (0 .. n - 1));
    ensures live: \result != \null ==> live_points(\result, n);
    ensures others: same_lives{Pre, Post};
    ensures zeros: \result != \null ==> \forall integer i; 0 <= i < n ==> zero(&(\result + i)->v[0]);
    ensures precision: \result != \null ==>
      \forall integer i; 0 <= i < n ==> precision(&(\result + i)->v[0]) == exact_for_doubles(precision); */
point *point_vec_new(size_t n, mpfr_prec_t precision);

/* p: what point_vec_new returned, NULL included. */
/*@ terminates \true;
    assigns mpfr_lives;
    ensures ended: block_ended{Pre, Post}(&p->v[0]); */
void point_vec_free(point *p);

/* Bytes that point_vec_new will take; SIZE_MAX when they cannot be counted. */
/*@ requires precision: 1 <= precision <= MPFR_PREC_MAX;
    terminates \true;
    assigns \nothing;
    ensures bytes: \result == (block_bytes(n, exact_for_doubles(precision)) <= SIZE_MAX
                              ? block_bytes(n, exact_for_doubles(precision)) : SIZE_MAX); */
size_t point_vec_bytes(size_t n, mpfr_prec_t precision);

/* p_i = x_i exactly; NaN for what is not finite. */
/*@ requires valid: \valid(p + (0 .. n - 1)) && \valid_read(x + (0 .. n - 1));
    requires live: live_points(p, n);
    requires separated: \separated(p + (0 .. n - 1), x + (0 .. n - 1));
    requires precise: \forall integer i; 0 <= i < n ==> 53 <= precision(&(p + i)->v[0]);
    terminates \true;
    assigns p[0 .. n - 1];
    ensures exact: \forall integer i; 0 <= i < n ==> finite_double(x[i]) ==>
      number(&(p + i)->v[0]) && value(&(p + i)->v[0]) == x[i];
    ensures nan: \forall integer i; 0 <= i < n ==> !finite_double(x[i]) ==> nan(&(p + i)->v[0]);
    ensures precision: \forall integer i; 0 <= i < n ==>
      precision(&(p + i)->v[0]) == precision{Pre}(\at(&(p + i)->v[0], Pre)); */
void point_vec_set_d(point *p, const double *x, size_t n);

#endif
