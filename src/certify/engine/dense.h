/* The dense engine: upper bound of ||J||_2 from the structured Gram matrix and a Cholesky residual. */
#ifndef ATTCERT_CERTIFY_ENGINE_DENSE_H
#define ATTCERT_CERTIFY_ENGINE_DENSE_H

#include "certify/engine/engine_row.h"
#include "linalg/panel/panel_store.h"

/* This engine's entries in the table of engine.h. */
uint64_t dense_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision, const attcert_options *options);
double dense_seconds(const attcert_layer *layer, int n, const attcert_options *options);
extern const engine_scratch dense_scratch;
attcert_status dense_bound(certify_run *r, double width);

/* Flops of it in all processes. */
double dense_flops(const attcert_layer *layer, int n);

/* Bytes it takes beyond the factored Jacobian, in the process that takes most: `fixed` for the layer's factors in
 * absolute value, the Gram matrix's products and a panel in transit, plus panels: `all` of them, 4 N^2 / processes, or
 * with a scratch folder at least one. UINT64_MAX beyond counting. */
typedef struct {
  uint64_t fixed, least_panels, all_panels;
} dense_memory;

dense_memory dense_memory_of(const attcert_layer *layer, int n, const attcert_options *options);

/* How the Gram matrix's panels go through memory: window after window. */
typedef struct {
  uint64_t bytes; /* for the panels of a window */
  int count;      /* 1: nothing goes to the scratch folder */
} dense_windows;

/* The windows of a run that may use `memory` bytes, the rest of it being at this precision. */
dense_windows dense_windows_of(uint64_t memory, const attcert_layer *layer, int n, mpfr_prec_t precision,
                               const attcert_options *options);

/* upper >= ||J||_2 = 2^exponent ||J'||:  ||J'|| <= sqrt(lambda_max(G~) + e_G) + ||J' - J~||. sigma: an estimate of
 * ||J~||; u and sigma become a better proposal where a factorisation shows that there is one. Collective in a group.
 * Errors: ATTCERT_RESOURCE. */
attcert_status dense_upper(mpfr_t upper, const factored_jacobian *m, double *u, double *sigma,
                           const panel_storage *storage, const attcert_options *options, attcert_error *err);

#endif
