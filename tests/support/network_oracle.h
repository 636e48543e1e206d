/* The values of a network's steps in Arb balls, from the definition of each step (no code of the library is used). */
#ifndef ATTCERT_TESTS_SUPPORT_NETWORK_ORACLE_H
#define ATTCERT_TESTS_SUPPORT_NETWORK_ORACLE_H

#include "network/attention/attention_pairs.h"
#include <arb_mat.h>

enum { NETWORK_ORACLE_BITS = 160 };

typedef struct {
  int count;
  arb_mat_t *value; /* [count]: value 0 is the input, k + 1 the output of step k */
} network_values;

/* At the exact doubles x. */
void network_values_init(network_values *v, const network_steps *network, const attcert_matrix *x);

/* The same where every attention was given these pairs. */
void network_values_init_paired(network_values *v, const network_steps *network, const attention_pairs *pairs,
                                const attcert_matrix *x);
void network_values_clear(network_values *v);

#endif
