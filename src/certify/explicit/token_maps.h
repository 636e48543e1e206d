/* What the explicit Jacobian needs of one token of one head: its score gradients, and what W_O makes of v_i and y_i. */
#ifndef ATTCERT_TOKEN_MAPS_H
#define ATTCERT_TOKEN_MAPS_H

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

/* g contains K^T q_i / root, h contains Q^T k_i / root. */
/*@ requires sides: side(s.k) && side(s.d);
    requires valid: \valid(g + (0 .. s.d - 1)) && \valid(h + (0 .. s.d - 1)) && \valid(ws);
    requires readable: \valid_read(s.query + (0 .. s.k - 1)) && \valid_read(s.key + (0 .. s.k - 1)) &&
      \valid_read(s.root) && \valid_read(s.key_weight + (0 .. row(s.d, s.k) - 1)) &&
      \valid_read(s.query_weight + (0 .. row(s.d, s.k) - 1));
    requires live: live_vec(g, s.d) && live_vec(h, s.d) && live_vec(s.query, s.k) && live_vec(s.key, s.k) &&
      live(s.root) && live_scratch(ws) && live_points(s.key_weight, row(s.d, s.k)) &&
      live_points(s.query_weight, row(s.d, s.k));
    requires points: rows_of_points(s.key_weight, s.k, s.d) && rows_of_points(s.query_weight, s.k, s.d);
    requires apart: \separated(g + (0 .. s.d - 1), h + (0 .. s.d - 1), ws, s.query + (0 .. s.k - 1), s.root);
    requires apart_key: \separated(g + (0 .. s.d - 1), h + (0 .. s.d - 1), ws, s.key + (0 .. s.k - 1), s.root);
    requires apart_weights: \separated(g + (0 .. s.d - 1), ws, s.key_weight + (0 .. row(s.d, s.k) - 1)) &&
      \separated(g + (0 .. s.d - 1), ws, s.query_weight + (0 .. row(s.d, s.k) - 1)) &&
      \separated(h + (0 .. s.d - 1), ws, s.query_weight + (0 .. row(s.d, s.k) - 1));
    terminates \true;
    assigns g[0 .. s.d - 1], h[0 .. s.d - 1], *ws;
    ensures g: gradient_in{Pre, Post}(g, s.query, s.key_weight, s.root, s.k, s.d);
    ensures h: gradient_in{Pre, Post}(h, s.key, s.query_weight, s.root, s.k, s.d); */
void token_gradients(interval *g, interval *h, token_sources s, interval_scratch *ws);

/* value contains what W_O makes of v, and mean what it makes of y. */
/*@ requires sides: side(f.k) && side(f.height) && side(f.width);
    requires output: head_output_readable(f);
    requires valid: \valid(value + (0 .. f.height - 1)) && \valid(mean + (0 .. f.height - 1)) && \valid(ws) &&
      \valid_read(v + (0 .. f.k - 1)) && \valid_read(y + (0 .. f.k - 1));
    requires live: live_vec(value, f.height) && live_vec(mean, f.height) && live_scratch(ws) && live_vec(v, f.k) &&
      live_vec(y, f.k);
    requires separated: \separated(value + (0 .. f.height - 1), mean + (0 .. f.height - 1), ws, v + (0 .. f.k - 1)) &&
      \separated(value + (0 .. f.height - 1), mean + (0 .. f.height - 1), ws, y + (0 .. f.k - 1));
    requires apart: head_output_outside(f, value, f.height, ws);
    requires apart_mean: head_output_outside(f, mean, f.height, ws);
    terminates \true;
    assigns value[0 .. f.height - 1], mean[0 .. f.height - 1], *ws;
    ensures value: output_in{Pre, Post}(value, v, f);
    ensures mean: output_in{Pre, Post}(mean, y, f); */
void token_outputs(interval *value, interval *mean, const interval *v, const interval *y, head_output f,
                   interval_scratch *ws);

#endif
