/* A norm between two numbers of 53 bits. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_ENCLOSED_NORM_H
#define ATTCERT_BOUNDS_PROGRAMS_ENCLOSED_NORM_H

#include "attcert.h"
#include "jacobian_norm.h"

typedef struct {
  mpfr_t lower, upper;
} enclosed_norm;

void enclosed_norm_init(enclosed_norm *norm);
void enclosed_norm_clear(enclosed_norm *norm);

/* ||D_X f|| by attcert_certify, dense engine, one thread. */
attcert_status enclosed_norm_certify(enclosed_norm *norm, const attcert_layer *layer, const attcert_matrix *x,
                                     attcert_error *err);

/* ||J||. */
attcert_status enclosed_norm_of_jacobian(enclosed_norm *norm, const jacobian_midpoint *j, attcert_error *err);

#endif
