/* Proposes an orthonormal basis that holds most of what J~ J~^T does: a block Krylov basis (C. Musco, C. Musco,
 * Randomized block Krylov methods, NIPS 2015), one product a vector. Nothing is certified here: any basis yields a
 * valid bound (linalg/eigenvalue/deflation.h). */
#ifndef ATTCERT_CERTIFY_ENGINE_KRYLOV_BASIS_H
#define ATTCERT_CERTIFY_ENGINE_KRYLOV_BASIS_H

#include "certify/jacobian/structured_jacobian.h"

/* Vectors are rows of n out_dim doubles. q and y: room for as many rows as are ever wanted. */
typedef struct {
  const structured_jacobian *jacobian;
  double *q;      /* size rows, orthonormal up to rounding */
  double *y;      /* size rows, those of q times J~ J~^T in double */
  double *image;  /* J~^T times a few vectors */
  double *scales; /* of the reflectors */
  int size;
  bool overwritten; /* y, by whoever used it */
} krylov_basis;

/* An empty basis with room for `capacity` rows. The Jacobian's products take jacobian->vectors rows at a time. */
attcert_status krylov_basis_init(krylov_basis *s, const structured_jacobian *jacobian, int capacity,
                                 attcert_error *err);
void krylov_basis_clear(krylov_basis *s);
uint64_t krylov_basis_bytes(const attcert_layer *layer, int n, int vectors, int capacity);

/* Extends the basis to `size` rows: blocks, each the product of the one before it, made orthogonal to all before. An
 * overwritten y is computed anew. Errors: ATTCERT_RESOURCE, from LAPACK. */
attcert_status krylov_basis_extend(krylov_basis *s, int size, const attcert_options *options, attcert_error *err);

#endif
