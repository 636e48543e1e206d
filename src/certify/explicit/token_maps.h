/* What the explicit Jacobian needs of one token of one head: its score gradients, and what W_O makes of v_i and y_i. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_TOKEN_MAPS_H
#define ATTCERT_CERTIFY_EXPLICIT_TOKEN_MAPS_H

#include "certify/enclosure/jacobian_enclosure.h"
#include "certify/explicit/head_output.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/token_maps.acsl"
#endif

/* Two vectors and the transposed weights for their gradients: K^T q_i / root and Q^T k_i / root. */
typedef struct {
  int k, d;
  const interval *query, *key;            /* k: q_i, k_i */
  const point *key_weight, *query_weight; /* d x k: K^T, Q^T */
  const interval *root;                   /* sqrt(k) */
} token_sources;

/*@ predicate token_sources_readable{L}(token_sources s) =
      \valid_read(s.query + (0 .. s.k - 1)) && \valid_read(s.key + (0 .. s.k - 1)) && \valid_read(s.root) &&
      \valid_read(s.key_weight + (0 .. row(s.d, s.k) - 1)) && \valid_read(s.query_weight + (0 .. row(s.d, s.k) - 1)) &&
      live_vec(s.query, s.k) && live_vec(s.key, s.k) && live(s.root) && live_points(s.key_weight, row(s.d, s.k)) &&
      live_points(s.query_weight, row(s.d, s.k)) && rows_of_points(s.key_weight, s.k, s.d) &&
      rows_of_points(s.query_weight, s.k, s.d);
    predicate token_sources_outside(token_sources s, interval *g, interval *h, interval_scratch *ws) =
      \separated(g + (0 .. s.d - 1), h + (0 .. s.d - 1), ws, s.query + (0 .. s.k - 1), s.root) &&
      \separated(g + (0 .. s.d - 1), h + (0 .. s.d - 1), ws, s.key + (0 .. s.k - 1), s.root) &&
      \separated(g + (0 .. s.d - 1), ws, s.key_weight + (0 .. row(s.d, s.k) - 1)) &&
      \separated(g + (0 .. s.d - 1), ws, s.query_weight + (0 .. row(s.d, s.k) - 1)) &&
      \separated(h + (0 .. s.d - 1), ws, s.query_weight + (0 .. row(s.d, s.k) - 1)); */

/* What is prepared: g_i and h_i, W_h v_i and W_h y_i. */
typedef struct {
  interval *g, *h;        /* d */
  interval *value, *mean; /* rows of W_O, or k without it */
} token_maps;

/*@ predicate token_maps_room{L}(token_maps m, integer d, integer height) =
      \valid(m.g + (0 .. d - 1)) && \valid(m.h + (0 .. d - 1)) && \valid(m.value + (0 .. height - 1)) &&
      \valid(m.mean + (0 .. height - 1)) && live_vec(m.g, d) && live_vec(m.h, d) && live_vec(m.value, height) &&
      live_vec(m.mean, height);
    predicate token_maps_apart(token_maps m, token_sources s, interval *v, interval *y, head_output f,
                               interval_scratch *ws) =
      token_sources_outside(s, m.g, m.h, ws) &&
      \separated(m.g + (0 .. s.d - 1), m.value + (0 .. f.height - 1), m.mean + (0 .. f.height - 1)) &&
      \separated(m.h + (0 .. s.d - 1), m.value + (0 .. f.height - 1), m.mean + (0 .. f.height - 1)) &&
      \separated(m.g + (0 .. s.d - 1), v + (0 .. f.k - 1)) && \separated(m.g + (0 .. s.d - 1), y + (0 .. f.k - 1)) &&
      \separated(m.h + (0 .. s.d - 1), v + (0 .. f.k - 1)) && \separated(m.h + (0 .. s.d - 1), y + (0 .. f.k - 1)) &&
      \separated(m.value + (0 .. f.height - 1), m.mean + (0 .. f.height - 1), ws, v + (0 .. f.k - 1)) &&
      \separated(m.value + (0 .. f.height - 1), m.mean + (0 .. f.height - 1), ws, y + (0 .. f.k - 1)) &&
      head_output_outside(f, m.g, s.d, ws) && head_output_outside(f, m.h, s.d, ws) &&
      head_output_outside(f, m.value, f.height, ws) && head_output_outside(f, m.mean, f.height, ws);
    predicate other_block(char *x, token_maps m, interval_scratch *ws) =
      x != \base_addr(m.g) && x != \base_addr(m.h) && x != \base_addr(m.value) && x != \base_addr(m.mean) &&
      x != \base_addr(ws); */

/* All four, from the sources and from v_i and y_i. */
/*@ requires sides: side(s.k) && side(s.d) && side(f.k) && side(f.height) && side(f.width);
    requires room: token_maps_room(m, s.d, f.height) && \valid(ws) && live_scratch(ws);
    requires readable: token_sources_readable(s) && head_output_readable(f);
    requires vectors: \valid_read(v + (0 .. f.k - 1)) && \valid_read(y + (0 .. f.k - 1)) && live_vec(v, f.k) &&
      live_vec(y, f.k);
    requires apart: token_maps_apart(m, s, v, y, f, ws);
    terminates \true;
    assigns m.g[0 .. s.d - 1], m.h[0 .. s.d - 1], m.value[0 .. f.height - 1], m.mean[0 .. f.height - 1], *ws;
    ensures g: gradient_in{Pre, Post}(m.g, s.query, s.key_weight, s.root, s.k, s.d);
    ensures h: gradient_in{Pre, Post}(m.h, s.key, s.query_weight, s.root, s.k, s.d);
    ensures value: output_in{Pre, Post}(m.value, v, f);
    ensures mean: output_in{Pre, Post}(m.mean, y, f);
    ensures ints: \forall int *x; other_block(\base_addr(x), m, ws) ==> *x == \old(*x);
    ensures longs: \forall long *x; other_block(\base_addr(x), m, ws) ==> *x == \old(*x);
    ensures doubles: \forall double *x; other_block(\base_addr(x), m, ws) ==> *x == \old(*x);
    ensures others: \forall mpfr_srcptr x; \separated(x, m.g + (0 .. s.d - 1)) ==>
      \separated(x, m.h + (0 .. s.d - 1)) ==> \separated(x, m.value + (0 .. f.height - 1)) ==>
      \separated(x, m.mean + (0 .. f.height - 1)) ==> \separated(x, ws) ==> unchanged{Pre, Post}(x); */
void token_maps_fill(token_maps m, token_sources s, const interval *v, const interval *y, head_output f,
                     interval_scratch *ws);

#endif
