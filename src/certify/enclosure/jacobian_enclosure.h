/* One row of the Jacobian of one head in intervals (spec/real/real_jacobian.acsl): blocks (i, 0) .. (i, n - 1) at one
 * of the k output components, from the weights P_i, the values, their mean y_i, the score gradients g_i and h_j. */
#ifndef ATTCERT_JACOBIAN_ENCLOSURE_H
#define ATTCERT_JACOBIAN_ENCLOSURE_H

#include "interval/interval_vec.h"

#ifdef __FRAMAC__
#include "interval/interval_jacobian.acsl"
#endif

/* g contains W^T z / root; transposed is W^T, d rows of k exact numbers. */
/*@ requires sides: side(k) && side(d);
    requires valid: \valid(g + (0 .. d - 1)) && \valid_read(z + (0 .. k - 1)) && \valid_read(root) && \valid(ws);
    requires valid_weight: \valid_read(transposed + (0 .. row(d, k) - 1));
    requires points: rows_of_points(transposed, k, d);
    requires separated: \separated(g + (0 .. d - 1), ws, z + (0 .. k - 1), root);
    requires separated_weight: \separated(g + (0 .. d - 1), ws, transposed + (0 .. row(d, k) - 1));
    terminates \true;
    assigns g[0 .. d - 1], *ws;
    ensures contains: \forall rvec x, w, real r; 0.0 < r ==> in{Pre}(root, r) ==> in_vec{Pre}(z, x, 0, k) ==>
      is_transposed{Pre}(transposed, w, k, d) ==> in_vec(g, real_gradient(x, w, r, k, d), 0, d); */
void gradient_enclosure(interval *g, const interval *z, const point *transposed, const interval *root, int k, int d,
                        interval_scratch *ws);

/* Adds row r of all blocks (i, l), l < n: entry (l, c) of `rows` (n x d) contains what it contained, plus J_il at (r, c).
 * values has k columns; mean is y_i at r, weight row r of V. w is scratch. */
/*@ requires sides: side(n) && side(k) && side(d) && 0 <= i < n && 0 <= r < k;
    requires valid: \valid(rows + (0 .. row(n, d) - 1)) && \valid(w) && \valid(ws) && \valid_read(p + (0 .. n - 1));
    requires valid_values: \valid_read(values + (0 .. row(n, k) - 1)) && \valid_read(mean);
    requires valid_factors: \valid_read(weight + (0 .. d - 1)) && \valid_read(g + (0 .. d - 1)) &&
                            \valid_read(h + (0 .. row(n, d) - 1));
    requires separated: \separated(rows + (0 .. row(n, d) - 1), w, ws, p + (0 .. n - 1), weight + (0 .. d - 1));
    requires separated_values: \separated(rows + (0 .. row(n, d) - 1), w, ws, values + (0 .. row(n, k) - 1), mean,
                                          p + (0 .. n - 1));
    requires separated_factors: \separated(rows + (0 .. row(n, d) - 1), w, ws, g + (0 .. d - 1), h + (0 .. row(n, d) - 1));
    terminates \true;
    assigns rows[0 .. row(n, d) - 1], *w, *ws;
    ensures contains: cells_enclose{Pre, Pre, Post}(rows, p, values, mean, weight, g, h, k, d, n, i, r, n); */
void jacobian_row_add(interval *rows, const interval *p, const interval *values, const interval *mean,
                      const interval *weight, const interval *g, const interval *h, int n, int k, int d, int i, int r,
                      interval *w, interval_scratch *ws);

#endif
