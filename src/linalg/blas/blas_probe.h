/* Whether BLAS computes as the engines in double assume (proofs/TRUST.md): entries that are inner products in double,
 * to nearest, subnormals kept. */
#ifndef ATTCERT_LINALG_BLAS_BLAS_PROBE_H
#define ATTCERT_LINALG_BLAS_BLAS_PROBE_H

#include "attcert.h"

/* Products of small matrices whose exact or rounded results are known, in every order of summation and with or without
 * FMA, by the routines that bounds rest on (gemm, gemv, symm, syrk, trsm, dot); large enough that BLAS divides them
 * among its threads. A library that is wrong elsewhere, for other sides or other numbers, is not noticed. Takes about a
 * millisecond. Errors: ATTCERT_FAULT, naming the routine; ATTCERT_RESOURCE. */
attcert_status blas_probe(attcert_error *err);

/* The same until it has succeeded once in the process, and of threads that BLAS keeps those that may be new
 * (blas_threads.h). */
attcert_status blas_probe_once(attcert_error *err);

#endif
