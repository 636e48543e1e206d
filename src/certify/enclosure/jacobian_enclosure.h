/* One row of the Jacobian of one head in intervals (spec/real/real_jacobian.acsl): blocks (i, 0) .. (i, n - 1) at one
 * of the k output components, from the weights P_i, the values, their mean y_i, the score gradients g_i and h_j. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_JACOBIAN_ENCLOSURE_H
#define ATTCERT_CERTIFY_ENCLOSURE_JACOBIAN_ENCLOSURE_H

#include "interval/interval_vec.h"

/* What row r of the blocks (i, 0) .. (i, n - 1) is made of. */
typedef struct {
  int n, k, d;            /* positions that i attends to, columns of the values, coordinates of a token */
  int i, r;               /* the token, the output component */
  const interval *p;      /* n: P_ij */
  const interval *values; /* n x k: v_j */
  const interval *mean;   /* y_i at r */
  const interval *weight; /* d: row r of V */
  const interval *g, *h;  /* d: g_i; n x d: h_j */
} jacobian_row;

#ifdef __FRAMAC__
#include "interval/interval_jacobian.acsl"
#endif

/* g contains W^T z / root; transposed is W^T, d rows of k exact numbers. */
/*@ requires sides: side(k) && side(d);
    requires valid: \valid(g + (0 .. d - 1)) && \valid_read(z + (0 .. k - 1)) && \valid_read(root) && \valid(ws);
    requires valid_weight: \valid_read(transposed + (0 .. row(d, k) - 1));
    requires live: live_vec(g, d) && live_vec(z, k) && live(root) && live_scratch(ws) &&
      live_points(transposed, row(d, k));
    requires points: rows_of_points(transposed, k, d);
    requires separated: \separated(g + (0 .. d - 1), ws, z + (0 .. k - 1), root);
    requires separated_weight: \separated(g + (0 .. d - 1), ws, transposed + (0 .. row(d, k) - 1));
    terminates \true;
    assigns g[0 .. d - 1], *ws;
    ensures contains: \forall rvec x, w, real r; 0.0 < r ==> in{Pre}(root, r) ==> in_vec{Pre}(z, x, 0, k) ==>
      is_transposed{Pre}(transposed, w, k, d) ==> in_vec(g, real_gradient(x, w, r, k, d), 0, d); */
void gradient_enclosure(interval *g, const interval *z, const point *transposed, const interval *root, int k, int d,
                        interval_scratch *ws);

/* The factors are readable and have digits; what jacobian_row_add writes is outside them. */
/*@ predicate jacobian_row_readable{L}(jacobian_row f) =
      \valid_read(f.p + (0 .. f.n - 1)) && \valid_read(f.values + (0 .. row(f.n, f.k) - 1)) && \valid_read(f.mean) &&
      \valid_read(f.weight + (0 .. f.d - 1)) && \valid_read(f.g + (0 .. f.d - 1)) &&
      \valid_read(f.h + (0 .. row(f.n, f.d) - 1)) &&
      live_vec(f.p, f.n) && live_vec(f.values, row(f.n, f.k)) && live(f.mean) && live_vec(f.weight, f.d) &&
      live_vec(f.g, f.d) && live_vec(f.h, row(f.n, f.d));

    predicate jacobian_row_outside(jacobian_row f, interval *rows, interval *w, interval_scratch *ws) =
      \separated(rows + (0 .. row(f.n, f.d) - 1), w, ws, f.p + (0 .. f.n - 1), f.weight + (0 .. f.d - 1)) &&
      \separated(rows + (0 .. row(f.n, f.d) - 1), w, ws, f.values + (0 .. row(f.n, f.k) - 1), f.mean,
                 f.p + (0 .. f.n - 1)) &&
      \separated(rows + (0 .. row(f.n, f.d) - 1), w, ws, f.g + (0 .. f.d - 1), f.h + (0 .. row(f.n, f.d) - 1)); */

/* Adds row r of all blocks (i, l), l < n: entry (l, c) of `rows` (n x d) contains what it contained, plus J_il at
 * (r, c). w is scratch. */
/*@ requires sides: side(f.n) && side(f.k) && side(f.d) && 0 <= f.i < f.n && 0 <= f.r < f.k;
    requires readable: jacobian_row_readable(f);
    requires valid: \valid(rows + (0 .. row(f.n, f.d) - 1)) && \valid(w) && \valid(ws);
    requires live: live_vec(rows, row(f.n, f.d)) && live(w) && live_scratch(ws);
    requires separated: jacobian_row_outside(f, rows, w, ws);
    terminates \true;
    assigns rows[0 .. row(f.n, f.d) - 1], *w, *ws;
    ensures contains: cells_enclose{Pre, Pre, Post}(rows, f, f.n);
    ensures frame: keeps_two{Pre, Post}(rows, row(f.n, f.d), w, 1, ws); */
void jacobian_row_add(interval *rows, jacobian_row f, interval *w, interval_scratch *ws);

#endif
