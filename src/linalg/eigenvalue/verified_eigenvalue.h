/* A verified real eigenvalue of a square matrix. */
#ifndef ATTCERT_LINALG_EIGENVALUE_VERIFIED_EIGENVALUE_H
#define ATTCERT_LINALG_EIGENVALUE_VERIFIED_EIGENVALUE_H

#include "attcert.h"
#include "interval/interval.h"

/* M: size x size intervals, row-major, entries of magnitude about 1; guess and vector: a proposed real eigenpair.
 * When *verified, every matrix in M has a real eigenvalue in *lambda with a real eigenvector; when not, nothing is
 * claimed: so it always is for a defective or multiple eigenvalue, and for a bad proposal. Errors: ATTCERT_RESOURCE. */
attcert_status verified_eigenvalue(bool *verified, interval *lambda, const interval *m, int size, double guess,
                                   const double *vector, attcert_error *err);

#endif
