/* A mask and biases of pairs: of each query and each key, whether the one attends to the other, and what is added to
 * their score. */
#ifndef ATTCERT_NETWORK_ATTENTION_ATTENTION_PAIRS_H
#define ATTCERT_NETWORK_ATTENTION_ATTENTION_PAIRS_H

#include "network/network.h"

typedef struct {
  int rows, keys;     /* of tokens that ask, and of keys */
  int masks;          /* one for all heads, or one a head; 0: every key takes part */
  const bool *mask;   /* [masks][rows][keys]: whether the key takes part */
  int biases;         /* one for all heads, or one a head; 0: zeros */
  const double *bias; /* [biases][rows][keys]: finite, or -inf where the key takes no part */
} attention_pairs;

/* Every attention of the network has these pairs from now on, beside what it has: a key takes part where all agree. The
 * network has copies. Errors: ATTCERT_INPUT (other numbers of tokens or heads; NaN or +inf; a token without a key,
 * whose softmax would be 0 / 0; no attention), ATTCERT_RESOURCE. */
attcert_status attention_pairs_restrict(network_steps *network, const attention_pairs *pairs, attcert_error *err);

/* The same of the attention of that value alone, in a network that is built. */
void attention_pairs_restrict_value(network_builder *b, int value, const attention_pairs *pairs);

#endif
