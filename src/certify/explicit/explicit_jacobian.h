/* The Jacobian as an explicit matrix of MPFR midpoints with one radius: for the engine mpfr, small N only. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_H

#include "certify/enclosure/layer_enclosure.h"
#include "interval/point_vec.h"

/* ||J - mid||_2 <= radius (64 bits, rounded up). mid is rows x cols, row-major, at the enclosure's precision. */
typedef struct {
  int rows, cols; /* n out_dim, n d */
  point *mid;
  mpfr_t radius;
} explicit_jacobian;

/* j: what explicit_jacobian_init left. */
/*@ requires valid: \valid(j);
    terminates \true;
    assigns *j, mpfr_lives;
    ensures others: \forall mpfr_srcptr x; \base_addr(x) != \base_addr{Pre}(\at(j->mid, Pre)) ==> x != &j->radius[0] ==>
      same_life{Pre, Post}(x); */
void explicit_jacobian_clear(explicit_jacobian *j);

/* 2^-*exponent mid in double, largest entry in [1/2, 1); *exponent = 0 and zeros for the zero matrix. */
void explicit_jacobian_to_double(double *a, long *exponent, const explicit_jacobian *j);

#endif
