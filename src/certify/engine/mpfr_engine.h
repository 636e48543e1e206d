/* Upper bound from the explicit Jacobian in MPFR and its Gram matrix in integers: the mpfr engine, and the dense engine's second try. */
#ifndef ATTCERT_MPFR_ENGINE_H
#define ATTCERT_MPFR_ENGINE_H

#include "certify/certification.h"

/* Improves both ends of r's certificate, with more bits while the enclosure is wider than `width`. engine MPFR factorises in
 * integers; engine DENSE rounds the Gram matrix to double and factorises that. u: n x d scratch. Errors: ATTCERT_RESOURCE. */
attcert_status mpfr_engine_bound(certification *r, double *u, attcert_engine engine, double width);

#endif
