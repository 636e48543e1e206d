/* The deflated engine: upper bound of ||J||_2 without the Gram matrix of side N, from some hundreds or thousands of vectors
 * (certify/deflation.h). */
#ifndef ATTCERT_DEFLATED_H
#define ATTCERT_DEFLATED_H

#include "certify/midpoint_layer.h"

/* Bytes beyond the midpoint layer for a basis of the least useful size. */
uint64_t deflated_bytes(const attcert_layer *layer, int n);

/* upper >= ||J||_2. sigma: an estimate of ||J~||. The basis grows until the bound is within `width` of sigma, memory (bytes
 * beyond the midpoint layer) is used up or nothing is gained. Errors: ATTCERT_RESOURCE. */
attcert_status deflated_upper(mpfr_t upper, const midpoint_layer *m, double sigma, double width, uint64_t memory,
                              const attcert_options *options, attcert_error *err);

#endif
