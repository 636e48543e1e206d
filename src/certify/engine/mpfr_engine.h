/* The mpfr engine: upper bound from the explicit Jacobian in MPFR and its Gram matrix in integers. */
#ifndef ATTCERT_CERTIFY_ENGINE_MPFR_ENGINE_H
#define ATTCERT_CERTIFY_ENGINE_MPFR_ENGINE_H

#include "certify/engine/certify_run.h"

/* This engine's entries in the table of engine.h. */
uint64_t mpfr_engine_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision, const attcert_options *options);
double mpfr_engine_seconds(const attcert_layer *layer, int n, const attcert_options *options);
bool mpfr_engine_is_feasible(const attcert_layer *layer, int n);

/* How far above an estimate of ||J||^2 the engine tries first, relatively. */
double mpfr_engine_slack(const attcert_options *options);

/* Improves both ends, with more bits while the enclosure is wider than `width`. Overwrites the direction proposed. */
attcert_status mpfr_engine_bound(certify_run *r, double width);

/* The same, but for the factorisation: the Gram matrix is rounded to double first. The dense engine's second try, whose
 * name the bound takes. */
attcert_status mpfr_engine_bound_in_double(certify_run *r, double width);

#endif
