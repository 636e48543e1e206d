/* A model with its head as a network, from hidden states (n x d) to class scores (1 x classes): the blocks, then for
 * the one token that its head looks at (model/head/model_head.h) the head's LayerNorm and maps. A class is a label, or
 * a token that may come next.
 *
 * In the last block only the queries, sums, LayerNorms and the feed-forward part of that one token are steps. The head
 * may look at every token instead: a row of scores each. */
#ifndef ATTCERT_ROBUST_NETWORK_H
#define ATTCERT_ROBUST_NETWORK_H

#include "model/head/model_head.h"
#include "model/model_function.h"
#include "network/affine/step_affine.h"

enum { ROBUST_EVERY_TOKEN = -1 };

/* Of a network whose answer is the sign of each score, once the signs are known. */
typedef struct {
  step plain;              /* the last step, which makes the scores of the labels */
  double *sign;            /* [labels]: 1, -1; 0: not looked at. NULL: not known yet */
  double *weight, *bias;   /* of the step that takes its place */
  affine_weights *weights; /* these two */
} robust_signs;

typedef struct {
  network_steps steps; /* the last one makes the class scores */
  int token, labels;   /* whose scores they are (or ROBUST_EVERY_TOKEN), how many the model has */
  bool each_sign;      /* the answer is the sign of each score, not the largest: robust/signs.h */
  robust_signs signs;
} robust_network;

/* The model with that head for sequences of `tokens` tokens, of which `token` is looked at (model_head_token), or with
 * a head of each token (model_head_check_every) ROBUST_EVERY_TOKEN. Errors: ATTCERT_INPUT (a tensor that
 * is missing, or of another shape), ATTCERT_RESOURCE. robust_network_clear is due in every case. */
attcert_status robust_network_open(robust_network *network, const model *m, const model_head *head, int tokens,
                                   int token, attcert_error *err);
void robust_network_clear(robust_network *network);

/* A function of layer l (model/model_function.h); of MODEL_LOGITS, the scores of the model's head, which looks at
 * `token` (HEAD_TOKEN_UNASKED: the one that it looks at by itself), and in *head what that is. Errors
 * as of model_function_open, model_head_open and model_head_token. network_clear is due in every case, and
 * model_head_clear. */
typedef struct {
  model_function function;
  int layer, tokens;
  const char *architecture; /* of the head; NULL: the folder's */
  int token;
} robust_function;
attcert_status robust_function_open(network_steps *steps, model_head *head, const model *m, const robust_function *of,
                                    attcert_error *err);

int robust_network_classes(const robust_network *network);

#endif
