/* The upper end on a ball. */
#ifndef ATTCERT_BALL_BALL_UPPER_H
#define ATTCERT_BALL_BALL_UPPER_H

#include "ball/region/ball_region.h"
#include "certify/enclosure/layer_enclosure.h"
#include "theory/layer_norms.h"

/* growth >= ||D_X' f|| - ||D_X f|| for all X' in the region around X (ball_curvature.h); e encloses the layer there,
 * norms are those of its weights. Heads add up; without W_O their outputs are orthogonal, and squares do. The integral
 * is a sum over equal steps of the radius, T at the end of each holding on all of it. Errors: ATTCERT_RESOURCE. */
attcert_status ball_growth(mpfr_ptr growth, const attcert_layer *layer, const layer_norms *norms,
                           const layer_enclosure *e, const ball_region *region, const attcert_options *options,
                           attcert_error *err);

/* Bytes that it takes. */
uint64_t ball_growth_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

#endif
