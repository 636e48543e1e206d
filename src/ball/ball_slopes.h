/* The linear forms phi_ij of one head (ball_curvature.h) by their inner products. */
#ifndef ATTCERT_BALL_BALL_SLOPES_H
#define ATTCERT_BALL_BALL_SLOPES_H

#include "ball/ball_products.h"
#include "ball/ball_size.h"

/* What the products are made of, and scratch of one thread. */
typedef struct {
  const ball_products *products;
  const ball_region *region;
  interval *overlap[BALL_PARTS]; /* [n][n]: sum_m P_im P_lm over the part's m; the same twice where all tokens move */
} ball_slopes;

typedef struct {
  interval_scratch ws;
  interval t, u, product;
} ball_slopes_scratch;

void ball_slopes_scratch_init(ball_slopes_scratch *s, mpfr_prec_t precision);
void ball_slopes_scratch_clear(ball_slopes_scratch *s);

/* Errors: ATTCERT_RESOURCE; ball_slopes_clear is due in any case. */
attcert_status ball_slopes_init(ball_slopes *f, const ball_products *products, const ball_region *region,
                                attcert_error *err);
void ball_slopes_clear(ball_slopes *f);

/* r contains phi_ij . phi_lm, over the coordinates of the part's tokens: with c_ij = delta_j - P_i,
 *   (g_i . g_l) (c_ij . c_lm) + c_ijl g_i . (h_m - hbar_l) + c_lmi g_l . (h_j - hbar_i)
 *     + delta_il (h_j - hbar_i) . (h_m - hbar_i).
 * r is not in the scratch. */
void ball_slopes_product(interval *r, const ball_slopes *f, ball_part part, int i, int j, int l, int m,
                         ball_slopes_scratch *s);

#endif
