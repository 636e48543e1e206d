/* The norms of a head over whole rows, from Gram matrices in intervals (notation and use: ball_curvature.h). */
#ifndef ATTCERT_BALL_BALL_ROW_NORMS_H
#define ATTCERT_BALL_BALL_ROW_NORMS_H

#include "ball/ball_slopes.h"

/* product[part] ([n], zeros) and mixed[part], BALL_PARTS each, as in ball_geometry.h. Errors: ATTCERT_RESOURCE. */
attcert_status ball_row_norms(mpfr_ptr const *product, mpfr_t *mixed, const ball_slopes *f, attcert_error *err);

#endif
