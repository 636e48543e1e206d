/* The engine frobenius: ||J||_F from the explicit Jacobian in MPFR, at least ||J||_2 and at most sqrt(rank J) times
 * that. No Gram matrix, no BLAS. */
#ifndef ATTCERT_CERTIFY_ENGINE_FROBENIUS_H
#define ATTCERT_CERTIFY_ENGINE_FROBENIUS_H

#include "certify/engine/certify_run.h"

/* This engine's entries in the table of engine.h. */
uint64_t frobenius_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision, const attcert_options *options);
double frobenius_seconds(const attcert_layer *layer, int n, const attcert_options *options);
attcert_status frobenius_bound(certify_run *r, double width);

/* upper >= ||J||_F >= ||J||_2, J the layer's Jacobian where e was evaluated: ||mid||_F + radius of the explicit one,
 * which is within its radius in this norm. +inf or NaN claim nothing. Errors: ATTCERT_RESOURCE. */
attcert_status frobenius_upper(mpfr_ptr upper, const attcert_layer *layer, const layer_enclosure *e, int threads,
                               attcert_error *err);

#endif
