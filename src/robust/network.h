/* A whole network as a list of steps, from hidden states (n x d) to class scores (1 x classes).
 *
 *   BERT  blocks, then for token 0: pooler, tanh, classifier; a class is a label. Its relatives alike, with the
 *         activation of their classifier's first map; ViT and DeiT: the final LayerNorm and the classifier
 *   GPT-2 blocks, then for the last token: ln_f and the word table; a class is the next token. GPT-Neo, OPT alike
 *
 * In the last block only the queries, sums, LayerNorms and the feed-forward part of that one token are steps. */
#ifndef ATTCERT_ROBUST_NETWORK_H
#define ATTCERT_ROBUST_NETWORK_H

#include "model/model.h"
#include "robust/step/step.h"

typedef struct {
  int tokens, dim, classes;
  step *step; /* value k + 1 is the output of step k, the last one the class scores */
  int count, capacity;
  double **owned; /* the weights of the steps */
  int owned_count, owned_capacity;
} robust_network;

/* The model for sequences of `tokens` tokens; the weights are copied. Errors: ATTCERT_INPUT (no classifier, no word
 * table, a tensor of another shape), ATTCERT_RESOURCE. robust_network_clear is due in every case. */
attcert_status robust_network_open(robust_network *network, const model *m, int tokens, attcert_error *err);
void robust_network_clear(robust_network *network);

/* last[v] = the last step that reads value v, [steps + 1]; -1: none. */
void robust_network_last_uses(int *last, const robust_network *network);

/* ---- for builders: one step more, *value its output's number; an array that the network owns ------------------- */

attcert_status robust_network_add(int *value, robust_network *network, const step *s, attcert_error *err);
attcert_status robust_network_array(double **numbers, robust_network *network, size_t count, attcert_error *err);

#endif
