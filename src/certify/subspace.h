/* Proposes an orthonormal basis that holds most of what J~ J~^T does: a block Krylov basis to begin with (C. Musco, C. Musco, Randomized
 * block Krylov methods, NIPS 2015), which takes one product a vector; where that does not do, randomized subspace iteration (N. Halko,
 * P. Martinsson, J. Tropp, Finding structure with randomness, SIAM Review 53, 2011, algorithm 4.4) from there. Nothing is certified
 * here: any basis yields a valid bound (certify/deflation.h). */
#ifndef ATTCERT_SUBSPACE_H
#define ATTCERT_SUBSPACE_H

#include "certify/structured_jacobian.h"

/* Vectors are rows of n out_dim doubles. q and y: room for as many rows as are ever wanted. */
typedef struct {
  const structured_jacobian *jacobian;
  double *q;      /* size rows, orthonormal up to rounding */
  double *y;      /* size rows, those of q times J~ J~^T in double */
  double *image;  /* J~^T times a few vectors */
  double *scales; /* of the reflectors */
  int size;
} subspace;

/* An empty basis with room for `capacity` rows. The Jacobian's products take jacobian->vectors rows at a time. */
attcert_status subspace_init(subspace *s, const structured_jacobian *jacobian, int capacity, attcert_error *err);
void subspace_clear(subspace *s);
uint64_t subspace_bytes(const attcert_layer *layer, int n, int vectors, int capacity);

/* The first `size` rows: blocks of jacobian->vectors, each the product of the one before it, made orthogonal to all before. Errors:
 * ATTCERT_RESOURCE, from LAPACK. */
attcert_status subspace_begin(subspace *s, int size, attcert_error *err);

/* Grows the basis to `size` rows and sharpens it by a few products with J~ J~^T. Errors: ATTCERT_RESOURCE, from LAPACK. */
attcert_status subspace_grow(subspace *s, int size, const attcert_options *options, attcert_error *err);

#endif
