/* A network executed in a format, emulated in double: sums run forward, backward, in pairs or with FMA, functions are
 * off by EXECUTED_ULP - 1 units beside their rounding; activations, scores and the softmax are written in many ways,
 * each result inside stored or not, and LayerNorm finds its moments in each of its ways. */
#ifndef ATTCERT_TESTS_SUPPORT_EXECUTED_NETWORK_H
#define ATTCERT_TESTS_SUPPORT_EXECUTED_NETWORK_H

#include "executed_arithmetic.h"
#include "random_network.h"

enum { EXECUTED_VALUES = 200, EXECUTED_MANNERS = 26 };

/* One of EXECUTED_MANNERS. */
executed_manner executed_network_manner(const char *format, int index);

/* Every value of the network; value[0] is the input. */
typedef struct {
  double *value[EXECUTED_VALUES];
} executed_network;

void executed_network_run(executed_network *e, const network_case *c, const double *input, const executed_manner *m);
void executed_network_clear(executed_network *e, const network_case *c);

#endif
