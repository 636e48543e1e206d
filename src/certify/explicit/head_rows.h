/* What one head adds to the rows of one token in the Jacobian: blocks (i, 0) .. (i, m - 1), at all its components. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_HEAD_ROWS_H
#define ATTCERT_CERTIFY_EXPLICIT_HEAD_ROWS_H

#include "certify/enclosure/jacobian_enclosure.h"

/* One head and one token. With W_O, the values, means and maps are those that W_O made of them. */
typedef struct {
  int tokens, n;          /* all tokens, those that i attends to */
  int height, d;          /* components of the head's values, coordinates of a token */
  int i;                  /* the token */
  const interval *p;      /* tokens: P_ij */
  const interval *values; /* tokens x height: v_j */
  const interval *means;  /* height: y_i */
  const interval *maps;   /* height x d: V */
  const interval *g, *h;  /* d: g_i; tokens x d: h_j */
} head_rows;

#ifdef __FRAMAC__
#include "explicit_jacobian/head_rows.acsl"
#endif

/*@ // x is none of the blocks of memory that are written.
    predicate beside_rows(char *x, interval *rows, interval *w, interval_scratch *ws) =
      x != \base_addr(rows) && x != \base_addr(w) && x != \base_addr(ws); */

/* Adds the head's part of all blocks (i, l): row o of `rows` (height rows of tokens x d entries) contains what it
 * contained, plus block (i, l) at (o, c) in entry (l, c). w is scratch. */
/*@ requires sides: side(f.tokens) && side(f.height) && side(f.d) && 0 <= f.i < f.n <= f.tokens;
    requires readable: head_rows_readable(f);
    requires valid: \valid(rows + (0 .. row(f.height, row(f.tokens, f.d)) - 1)) && \valid(w) && \valid(ws);
    requires live: live_vec(rows, row(f.height, row(f.tokens, f.d))) && live(w) && live_scratch(ws);
    requires separated: head_rows_outside(f, rows, row(f.height, row(f.tokens, f.d)), w, ws) && head_rows_distinct(f);
    terminates \true;
    assigns rows[0 .. row(f.height, row(f.tokens, f.d)) - 1], *w, *ws;
    ensures contains: head_rows_enclose{Pre, Pre, Post}(rows, f, f.height);
    ensures masked: head_rows_masked{Pre, Post}(rows, f, f.height);
    ensures others: keeps_two{Pre, Post}(rows, row(f.height, row(f.tokens, f.d)), w, 1, ws);
    ensures ints: \forall int *x; beside_rows(\base_addr(x), rows, w, ws) ==> *x == \old(*x);
    ensures longs: \forall long *x; beside_rows(\base_addr(x), rows, w, ws) ==> *x == \old(*x);
    ensures numbers: \forall mpfr_srcptr x; beside_rows(\base_addr(x), rows, w, ws) ==> unchanged{Pre, Post}(x); */
void head_rows_add(interval *rows, head_rows f, interval *w, interval_scratch *ws);

#endif
