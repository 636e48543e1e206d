/* Whether BLAS's own threads compute as the calling one does. A thread inherits the floating-point environment of
 * the one that started it, and keeps it: threads that a program lets OpenBLAS start while it flushes subnormal
 * numbers to zero do so ever after. OpenBLAS starts them when it is loaded, when it is asked for more of them than
 * it ever had, and anew after a fork; those of its OpenMP build belong to the calling thread. */
#ifndef ATTCERT_LINALG_BLAS_BLAS_THREADS_H
#define ATTCERT_LINALG_BLAS_BLAS_THREADS_H

#include "attcert.h"

/* A product whose exact or rounded results are known, large enough that each of `threads` threads computes a part of
 * it: sums that nearest, upward, downward and towards zero round apart, products that are subnormal and subnormal
 * operands. Errors: ATTCERT_FAULT; ATTCERT_RESOURCE. */
attcert_status blas_threads_probe(int threads, attcert_error *err);

/* The same for the threads that OpenBLAS has, unless it was done for as many since the last fork. */
attcert_status blas_threads_probe_once(attcert_error *err);

#endif
