/* Vectors of exact numbers: weights and inputs as they are stored, without the cost of a second endpoint.
 *
 * A struct around mpfr_t (an array type), so that `const point *` is an ordinary pointer. A point is a number, or NaN,
 * which claims nothing; it is never infinite. */
#ifndef ATTCERT_POINT_VEC_H
#define ATTCERT_POINT_VEC_H

#include <mpfr.h>
#include <stddef.h>

typedef struct {
  mpfr_t v;
} point;

/* n zeros in one block of memory; NULL when out of memory. The precision is raised to 53 when less, so that doubles are
 * exact. Elements must not be cleared or swapped singly. */
point *point_vec_new(size_t n, mpfr_prec_t precision);
void point_vec_free(point *p);

/* Bytes that point_vec_new will take; SIZE_MAX when they cannot be counted. */
size_t point_vec_bytes(size_t n, mpfr_prec_t precision);

/* p_i = x_i exactly; NaN for what is not finite. */
void point_vec_set_d(point *p, const double *x, size_t n);

#endif
