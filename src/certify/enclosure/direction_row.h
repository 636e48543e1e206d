/* One row of the derivative of one head along a direction, in intervals (spec/real/real_direction.acsl): dy_i from the
 * weights P_i, queries, keys and values, and from the derivatives of the last three along the direction. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_ROW_H
#define ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_ROW_H

#include "interval/interval_vec.h"

/* What dy_i is made of. */
typedef struct {
  int n, k;                         /* positions that i attends to, columns of keys and values */
  const interval *p;                /* n: P_ij */
  const interval *q, *dq;           /* k: q_i */
  const interval *keys, *dkeys;     /* n x k: k_j */
  const interval *values, *dvalues; /* n x k: v_j */
  const interval *mean;             /* k: y_i */
  const interval *root;             /* sqrt(k) */
} direction_row;

#ifdef __FRAMAC__
#include "interval/interval_direction.acsl"
#endif

/* The factors are readable and have digits; what direction_row_add writes is outside them. */
/*@ predicate direction_row_readable{L}(direction_row f) =
      \valid_read(f.p + (0 .. f.n - 1)) && \valid_read(f.q + (0 .. f.k - 1)) && \valid_read(f.dq + (0 .. f.k - 1)) &&
      \valid_read(f.keys + (0 .. row(f.n, f.k) - 1)) && \valid_read(f.dkeys + (0 .. row(f.n, f.k) - 1)) &&
      \valid_read(f.values + (0 .. row(f.n, f.k) - 1)) && \valid_read(f.dvalues + (0 .. row(f.n, f.k) - 1)) &&
      \valid_read(f.mean + (0 .. f.k - 1)) && \valid_read(f.root) &&
      live_vec(f.p, f.n) && live_vec(f.q, f.k) && live_vec(f.dq, f.k) && live_vec(f.keys, row(f.n, f.k)) &&
      live_vec(f.dkeys, row(f.n, f.k)) && live_vec(f.values, row(f.n, f.k)) && live_vec(f.dvalues, row(f.n, f.k)) &&
      live_vec(f.mean, f.k) && live(f.root);

    predicate direction_row_outside(direction_row f, interval *dy, interval *ds, interval *term,
                                    interval_scratch *ws) =
      \separated(dy + (0 .. f.k - 1), ds, term, ws, f.p + (0 .. f.n - 1)) &&
      \separated(dy + (0 .. f.k - 1), ds, term, ws, f.q + (0 .. f.k - 1)) &&
      \separated(dy + (0 .. f.k - 1), ds, term, ws, f.dq + (0 .. f.k - 1)) &&
      \separated(dy + (0 .. f.k - 1), ds, term, ws, f.keys + (0 .. row(f.n, f.k) - 1)) &&
      \separated(dy + (0 .. f.k - 1), ds, term, ws, f.dkeys + (0 .. row(f.n, f.k) - 1)) &&
      \separated(dy + (0 .. f.k - 1), ds, term, ws, f.values + (0 .. row(f.n, f.k) - 1)) &&
      \separated(dy + (0 .. f.k - 1), ds, term, ws, f.dvalues + (0 .. row(f.n, f.k) - 1)) &&
      \separated(dy + (0 .. f.k - 1), ds, term, ws, f.mean + (0 .. f.k - 1)) &&
      \separated(dy + (0 .. f.k - 1), ds, term, ws, f.root); */

/* Adds dy_i: entry r contains what it contained, plus dy_i at r. ds and term are scratch. */
/*@ requires sides: side(f.n) && side(f.k);
    requires readable: direction_row_readable(f);
    requires valid: \valid(dy + (0 .. f.k - 1)) && \valid(ds) && \valid(term) && \valid(ws);
    requires live: live_vec(dy, f.k) && live(ds) && live(term) && live_scratch(ws);
    requires separated: direction_row_outside(f, dy, ds, term, ws);
    terminates \true;
    assigns dy[0 .. f.k - 1], *ds, *term, *ws;
    ensures contains: row_directed{Pre, Pre, Post}(dy, f, f.n); */
void direction_row_add(interval *dy, direction_row f, interval *ds, interval *term, interval_scratch *ws);

#endif
