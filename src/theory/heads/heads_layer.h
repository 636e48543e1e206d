/* The attention of a layer made of steps, whatever heads it has: which maps, norms and rotations make queries and keys.
 * With q_i = R_i N(Q x_i + b_Q), k_j = R_j N(K x_j + b_K), v_j = V x_j + b_V, N an RMSNorm or none, R a rotation by the
 * position or none, and what attention_heads.h says of the rest, the output is W_O [y^1; ...; y^H] + b_O. */
#ifndef ATTCERT_THEORY_HEADS_HEADS_LAYER_H
#define ATTCERT_THEORY_HEADS_HEADS_LAYER_H

#include "network/affine/step_affine.h"
#include "network/attention/attention_heads.h"
#include "network/rmsnorm/step_rmsnorm.h"
#include "network/rotary/step_rotary.h"

/* From the input to queries, keys or values. */
typedef struct {
  const affine_weights *map;
  const rmsnorm_weights *norm; /* NULL: none */
  const rotary_heads *rotary;  /* NULL: none */
  int cols, head_cols;         /* of the map's value; of one head */
  int mapped, value;           /* the numbers of the map's value and of what the attention reads */
} heads_path;

typedef struct {
  const network_steps *network;
  const attention_heads *of;
  heads_path query, key, values;
  const affine_weights *output;
  int attention; /* the number of the attention's step */
} heads_layer;

/* NULL, or why the network is no such attention. */
const char *heads_layer_read(heads_layer *layer, const network_steps *network);

/* Whether the gradient g_ij of the score s_ij by token j differs from key to key but for x_j: where keys turn or are
 * normed, or scores pass through a curve. */
bool heads_layer_is_by_key(const heads_layer *layer);

/* Whether queries or keys are normed. */
bool heads_layer_is_normed(const heads_layer *layer);

/* Neither norm nor rotation on the way to queries and keys: q . k is a bilinear form of tokens. */
bool heads_layer_is_bilinear(const heads_layer *layer);

/* The rows of the map that a head's N reads: those of the head, or all that are normed with it. */
typedef struct {
  int first, count;
} heads_rows;
heads_rows heads_path_rows(const heads_path *path, int head);

/* max |gain| over the head's columns; 1 without a norm. */
double heads_path_gain(const heads_path *path, int head);

#endif
