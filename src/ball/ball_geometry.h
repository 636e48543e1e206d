/* One head at X: the sizes that its second derivative is bounded by, there and nearby (notation and use:
 * ball_curvature.h). Upper ends but where a name says otherwise. */
#ifndef ATTCERT_BALL_BALL_GEOMETRY_H
#define ATTCERT_BALL_BALL_GEOMETRY_H

#include "ball/ball_products.h"
#include "ball/ball_size.h"

typedef struct {
  int n;
  attcert_mask mask;
  const ball_region *region;
  bool bounded;                 /* false: something is no number, and nothing below is to be used */
  mpfr_t value, score;          /* ||V||, ||A|| */
  mpfr_ptr numbers;             /* the storage of what follows */
  mpfr_ptr weight_lower;        /* [n][n]: <= P_ij */
  mpfr_ptr weight;              /* [n][n]: P_ij */
  mpfr_ptr deviation;           /* [n][n]: |v_j - y_i| */
  mpfr_ptr key;                 /* [n][n]: |h_j - hbar_i| */
  mpfr_ptr gradient;            /* [n]: |g_i| */
  mpfr_ptr slope[BALL_PARTS];   /* [n][n]: ||phi_ij|| */
  mpfr_ptr rate;                /* [n][n]: |phi_ij(E)| <= rate tau for E in the ball of radius tau */
  mpfr_ptr bend;                /* [n][n]: |sum_m c_ijm e_m . A e_i| <= ||A|| bend tau^2 */
  mpfr_ptr product[BALL_PARTS]; /* [n]: || (P_ij (v_j - y_i))_j ||, j or i among the moving ones */
  mpfr_t mixed[BALL_PARTS];     /* sup over unit F of || (P_ij phi_ij(F))_ij ||, likewise */
  double *cosine[BALL_PARTS];   /* [n][n][n][n]: (phi_ij . phi_lm)^2 / (slope_ij slope_lm)^2, at most 1; or NULL: 1 */
} ball_geometry;

/* From the head's inner products. Errors: ATTCERT_RESOURCE; ball_geometry_clear is due in any case. */
attcert_status ball_geometry_init(ball_geometry *g, const ball_products *b, const ball_region *region, int threads,
                                  attcert_error *err);
void ball_geometry_clear(ball_geometry *g);

/* Bytes that it takes. */
uint64_t ball_geometry_bytes(int n);

#endif
