/* A whole network as a list of steps, from hidden states (n x d) to class scores (1 x classes): the blocks, then for
 * the one token that its head looks at (model/head/model_head.h) the head's LayerNorm and maps. A class is a label, or
 * a token that may come next.
 *
 * In the last block only the queries, sums, LayerNorms and the feed-forward part of that one token are steps. */
#ifndef ATTCERT_ROBUST_NETWORK_H
#define ATTCERT_ROBUST_NETWORK_H

#include "model/head/model_head.h"
#include "robust/step/step.h"

/* Of a network whose answer is the sign of each score, once the signs are known. */
typedef struct {
  step plain;            /* the last step, which makes the scores of the labels */
  double *sign;          /* [labels]: 1, -1; 0: not looked at. NULL: not known yet */
  double *weight, *bias; /* of the step that takes its place */
} robust_signs;

typedef struct {
  int tokens, dim, classes;
  int token, labels; /* whose scores they are, and how many of them the model has */
  bool each_sign;    /* the answer is the sign of each score, not the largest: robust/signs.h */
  robust_signs signs;
  step *step; /* value k + 1 is the output of step k, the last one the class scores */
  int count, capacity;
  double **owned; /* the weights of the steps */
  int owned_count, owned_capacity;
} robust_network;

/* The model with that head for sequences of `tokens` tokens, of which `token` is looked at (model_head_token); the
 * weights are copied. Errors: ATTCERT_INPUT (a tensor that is missing, or of another shape), ATTCERT_RESOURCE.
 * robust_network_clear is due in every case. */
attcert_status robust_network_open(robust_network *network, const model *m, const model_head *head, int tokens,
                                   int token, attcert_error *err);
void robust_network_clear(robust_network *network);

/* last[v] = the last step that reads value v, [steps + 1]; -1: none. */
void robust_network_last_uses(int *last, const robust_network *network);

/* ---- for builders: one step more, *value its output's number; an array that the network owns ------------------- */

attcert_status robust_network_add(int *value, robust_network *network, const step *s, attcert_error *err);
attcert_status robust_network_array(double **numbers, robust_network *network, size_t count, attcert_error *err);

#endif
