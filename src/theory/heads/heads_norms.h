/* Norms of what a layer of any heads is made of, each enclosed. */
#ifndef ATTCERT_THEORY_HEADS_HEADS_NORMS_H
#define ATTCERT_THEORY_HEADS_HEADS_NORMS_H

#include "theory/heads/heads_layer.h"
#include "theory/layer_norms.h"
#include "theory/token_ball.h"

/* Of a head: heads_path_rows of the map of its queries, and of its keys. */
typedef struct {
  interval query, key;
} heads_map_norms;

typedef struct {
  layer_norms of; /* ||V||, ||W_h||, ||W_O||; where nothing is normed ||A||, A = K^T Q / sqrt(divided_by), and
                     where queries and keys turn a bound of it for all offsets (heads_turned.h) */
  heads_map_norms *map;
} heads_norms;

attcert_status heads_norms_init(heads_norms *norms, const heads_layer *layer, attcert_error *err);
void heads_norms_clear(heads_norms *norms);

/* divisor := sqrt(divided_by). */
void heads_divisor(interval *divisor, const heads_layer *layer);

/* ||K^T (b_Q + Q centre)|| / sqrt(divided_by) of head h, and ||Q^T (b_K + K centre)|| / sqrt(divided_by); centre NULL:
 * the origin. Of bilinear scores. Errors: ATTCERT_RESOURCE. */
attcert_status heads_query_drift(interval *drift, const heads_layer *layer, int h, const double *centre,
                                 attcert_error *err);
attcert_status heads_key_drift(interval *drift, const heads_layer *layer, int h, const double *centre,
                               attcert_error *err);

/* What is known of q_i, or k_j, of a head for every token of a ball. */
typedef struct {
  interval size;   /* |q_i| is at most that */
  interval slope;  /* ||dq_i / dx_i|| is at most that */
  interval centre; /* |u_0| below */
} heads_reach;

void heads_reach_init(heads_reach *r);
void heads_reach_clear(heads_reach *r);

/* With u in the map's rows that are normed together, p of them, and |u_0| - ||W|| R <= |u| <= |u_0| + ||W|| R, u_0 that
 * of the centre: |q| <= gain |u| / sqrt(|u|^2 / p + epsilon), ||dq|| <= gain ||W|| / sqrt(|u|^2 / p + epsilon).
 * Errors: ATTCERT_RESOURCE. */
attcert_status heads_reach_set(heads_reach *r, const heads_path *path, int head, const interval *map_norm, int dim,
                               const token_ball *at, attcert_error *err);

#endif
