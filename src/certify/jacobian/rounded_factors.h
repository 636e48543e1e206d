/* The factors of a Jacobian in double arithmetic, with a bound of every rounding: the formulas are in
 * factored_jacobian_from_doubles.h. Tokens are projected, attention's weights and gradients computed; at last all is
 * scaled. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_ROUNDED_FACTORS_H
#define ATTCERT_CERTIFY_JACOBIAN_ROUNDED_FACTORS_H

#include "certify/jacobian/factored_jacobian.h"

#include <stdatomic.h>

/* ^ denotes what is computed. */
typedef struct {
  factored_jacobian *m;
  const attcert_layer *layer;
  const attcert_matrix *x;
  double *q, *k, *v, *y;                             /* [H][n][k] */
  double *products;                                  /* [n][H k]: a chunk's */
  double *q_radius, *k_radius, *v_radius;            /* [H][n] */
  double *v_norm, *eta;                              /* [H][n]; v_norm >= ||v^_j|| */
  double *key, *key_radius, *value_radius, *weights; /* [H]: K, r(K), max_j r(v_j), >= ||W_K|| */
  long *row_exponent;                                /* [H][n][k]: of max_j |w_ij,r|, then times 2^scale */
  atomic_bool failed;                                /* out of range */
} rounded_factors;

/* q, k, v with their radii, and the largest of each head. */
void rounded_factors_projection(rounded_factors *t);

/* From the projections: m's P, w, g and kappa before scaling, with their radii; y and eta. Sets t->failed where a
 * score's radius is too large. */
void rounded_factors_attention(rounded_factors *t, int threads);

/* Divides kappa, Q', g and w and their radii by powers of two, and fills what factored_jacobian_scale.h does. Errors:
 * ATTCERT_RESOURCE. */
attcert_status rounded_factors_scale(rounded_factors *t, int threads, attcert_error *err);

#endif
