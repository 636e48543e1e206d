/* Random small networks of every kind of step, as transformers and as chains, with inputs and balls. */
#ifndef ATTCERT_TESTS_SUPPORT_RANDOM_NETWORK_H
#define ATTCERT_TESTS_SUPPORT_RANDOM_NETWORK_H

#include "network/attention/attention_pairs.h"
#include "random_source.h"
#include "robust/margin.h"

enum { RANDOM_NETWORK_TOKENS = 5 };

typedef struct {
  network_steps network;
  attcert_matrix x;
  bool moves[RANDOM_NETWORK_TOKENS];
  int words[RANDOM_NETWORK_TOKENS], word_count; /* the tokens that do */
  robust_ball ball;
  attention_pairs pairs; /* of its attentions, where they have been given some */
  char name[160];
} network_case;

/* Case (seed, index); the caller clears it. */
void network_case_init(network_case *c, uint64_t seed, uint64_t index);

/* One attention of heads that the theory has bounds for, from its input to its output projection, of every token. */
void network_case_init_attention(network_case *c, uint64_t seed, uint64_t index);

/* One attention to other tokens than those that ask, of every token that does. */
void network_case_init_cross(network_case *c, uint64_t seed, uint64_t index);

/* Gives its attentions a mask, a bias or both, of all heads or of each, in which every token has a key or more; what
 * was asked for is in c->pairs. */
void network_case_pair(network_case *c, random_source *r);

void network_case_clear(network_case *c);

int network_case_classes(const network_case *c);

#endif
