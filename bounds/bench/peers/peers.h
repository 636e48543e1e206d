/* The programs that attcert is measured against. Each is given the layer, computes what it is given besides, and times
 * its own work alone. Errors: ATTCERT_RESOURCE, and those of given_layer.h. */
#ifndef ATTCERT_BOUNDS_BENCH_PEERS_PEERS_H
#define ATTCERT_BOUNDS_BENCH_PEERS_PEERS_H

#include "given_layer.h"
#include "measurement.h"

/* LAPACK's dsyevr: the largest eigenvalue of the Gram matrix J~ J~^T, no vectors. Given: the matrix. */
attcert_status lapack_eigenvalue(measurement *result, const given_layer *g, attcert_error *err);

/* LAPACK's dgesdd: all singular values of J~, no vectors. Given: the matrix. */
attcert_status lapack_singular_values(measurement *result, const given_layer *g, attcert_error *err);

/* The power iteration on J~^T J~, from a vector without a pattern. Given: the products with J~ and its transpose, by
 * BLAS. As in the published experiments of "How Smooth Is Attention?": stops once ||J v||^2, 0 to begin with, changes
 * by less than 1e-4 (BERT), 5e-4 (GPT-2) or 1e-3 (GPT-2 with random weights), or after 100, 500 or 1,000 steps. */
attcert_status power_iteration_published(measurement *result, const given_layer *g, attcert_error *err);

/* The same with another change and as many steps as it takes: c / s^2 stops where c would stop for s J. */
attcert_status power_iteration_absolute(measurement *result, const given_layer *g, double change, attcert_error *err);

/* The same, stopped once ||J v||^2 changes by less than its 10^-6th part. */
attcert_status power_iteration_relative(measurement *result, const given_layer *g, attcert_error *err);

/* Arb: proves ||J|| <= upper for the exact matrix J, by the Cholesky factorisation of upper^2 I - J J^T in balls, at
 * the least multiple of 32 bits that succeeds, which is found beforehand. Given: J. ATTCERT_NEGATIVE: no precision
 * does. */
attcert_status arb_certificate(measurement *result, const given_layer *g, double upper, attcert_error *err);

/* Flops a second of the product of two side x side matrices, the best of the runs. */
attcert_status gemm_rate(measurement *result, int side, attcert_error *err);

#endif
