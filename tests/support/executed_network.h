/* A network executed in a format, emulated in double: sums run forward, backward, in pairs or with FMA, functions are
 * off by EXECUTED_ULP - 1 units beside their rounding, and what may be stored or fused is, in turn. */
#ifndef ATTCERT_TESTS_SUPPORT_EXECUTED_NETWORK_H
#define ATTCERT_TESTS_SUPPORT_EXECUTED_NETWORK_H

#include "random_network.h"

/* At most EXECUTED_COLUMNS in a row. */
enum { EXECUTED_VALUES = 200, EXECUTED_COLUMNS = 2048, EXECUTED_MANNERS = 8, EXECUTED_ULP = 4 };

/* How one execution sums, what it fuses, which way its functions err. */
typedef struct {
  const char *format;
  bool wide;  /* computes in double */
  int order;  /* forward, backward, in pairs, forward with FMA */
  bool fused; /* stores nothing inside a step */
  double wrong;
} executed_manner;

/* One of EXECUTED_MANNERS. */
executed_manner executed_network_manner(const char *format, int index);

/* Every value of the network; value[0] is the input. */
typedef struct {
  double *value[EXECUTED_VALUES];
} executed_network;

void executed_network_run(executed_network *e, const network_case *c, const double *input, const executed_manner *m);
void executed_network_clear(executed_network *e, const network_case *c);

#endif
