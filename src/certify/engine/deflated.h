/* The deflated engine: upper bound of ||J||_2 without the Gram matrix of side N, from some hundreds or thousands of
 * vectors (linalg/eigenvalue/deflation.h). */
#ifndef ATTCERT_CERTIFY_ENGINE_DEFLATED_H
#define ATTCERT_CERTIFY_ENGINE_DEFLATED_H

#include "certify/engine/certify_run.h"

/* This engine's entries in the table of engine.h. */
uint64_t deflated_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision, const attcert_options *options);
double deflated_seconds(const attcert_layer *layer, int n, const attcert_options *options);
double deflated_most_seconds(double seconds, const attcert_layer *layer, int n, const certify_limits *limits);
attcert_status deflated_lower_in_double(mpfr_t lower, bool *settled, certify_run *r, double width);

/* What a basis of so many vectors and the bounds on the way to it cost, in flops of a matrix product; a product of a
 * matrix and a vector, which waits for memory, counts more. */
double deflated_flops(const attcert_layer *layer, int n, int vectors);

/* Goes on with the run's basis where it has been begun, and ends it. */
attcert_status deflated_bound(certify_run *r, double width);

/* upper >= ||J||_2. sigma: an estimate of ||J~||. The basis grows until the bound is within `width` of sigma, memory
 * is used up or nothing is gained: doubling it has brought the bound closer by less than an eighth of what was
 * missing. Once. Errors: ATTCERT_RESOURCE. */
attcert_status deflated_upper(mpfr_t upper, deflated_basis *t, double sigma, double width,
                              const attcert_options *options, attcert_error *err);

#endif
