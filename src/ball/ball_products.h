/* The inner products of one head at X that its second derivative is made of, in intervals (notation of
 * ball_curvature.h). Everything about a token's deviations from a mean follows from the Gram matrices of the vectors
 * themselves; what cancels there is why they are intervals of many bits. */
#ifndef ATTCERT_BALL_BALL_PRODUCTS_H
#define ATTCERT_BALL_BALL_PRODUCTS_H

#include "certify/enclosure/layer_enclosure.h"

/* n x n each, row-major. */
typedef struct {
  int n;
  mpfr_prec_t precision;
  attcert_mask mask;
  const interval *p;      /* P, in the enclosure */
  interval *gradient;     /* g_i . g_l */
  interval *mixed;        /* g_l . h_j at (l, j) */
  interval *key;          /* h_j . h_m */
  interval *value;        /* v_j . v_m */
  interval *mixed_mean;   /* g_l . hbar_i at (l, i), hbar_i = sum_j P_ij h_j */
  interval *key_mean;     /* hbar_i . h_j at (i, j) */
  interval *key_square;   /* [n]: |hbar_i|^2 */
  interval *value_mean;   /* y_i . v_j at (i, j) */
  interval *value_square; /* [n]: |y_i|^2 */
} ball_products;

/* Of head h. Errors: ATTCERT_RESOURCE; ball_products_clear is due in any case. */
attcert_status ball_products_init(ball_products *b, const attcert_layer *layer, const layer_enclosure *e, int h,
                                  int threads, attcert_error *err);
void ball_products_clear(ball_products *b);

/* Bytes that it takes, the head's vectors included. */
uint64_t ball_products_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

/* r contains (h_j - hbar_i) . (h_m - hbar_i); with values, (v_j - y_i) . (v_m - y_i). */
void ball_products_key_deviation(interval *r, const ball_products *b, int i, int j, int m);
void ball_products_value_deviation(interval *r, const ball_products *b, int i, int j, int m);

/* r contains g_l . (h_j - hbar_i). */
void ball_products_mixed_deviation(interval *r, const ball_products *b, int l, int i, int j);

#endif
