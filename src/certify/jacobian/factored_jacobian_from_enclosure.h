/* A factored Jacobian from the layer in intervals: midpoints rounded to double; radii cover width and rounding. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_FACTORED_JACOBIAN_FROM_ENCLOSURE_H
#define ATTCERT_CERTIFY_JACOBIAN_FACTORED_JACOBIAN_FROM_ENCLOSURE_H

#include "certify/enclosure/layer_enclosure.h"
#include "certify/jacobian/factored_jacobian.h"

/* e: of this layer. Errors: ATTCERT_RESOURCE, m is then empty. */
attcert_status factored_jacobian_from_enclosure(factored_jacobian *m, const attcert_layer *layer,
                                                const layer_enclosure *e, int threads, attcert_error *err);

/* Bytes that it takes beside the factored Jacobian. */
uint64_t factored_jacobian_from_enclosure_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

#endif
