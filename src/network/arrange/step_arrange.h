/* Entries moved, repeated or replaced by constants: patches of an image, a class token put before them, tokens
 * transposed. No arithmetic: exact in every one. */
#ifndef ATTCERT_NETWORK_ARRANGE_STEP_ARRANGE_H
#define ATTCERT_NETWORK_ARRANGE_STEP_ARRANGE_H

#include "network/network.h"

/* A row of the output may read entries of any rows of the input. */
typedef struct {
  int rows, cols;         /* of the output, positive */
  const int *from;        /* [rows, cols]: the entry of the input, row by row; -1: a constant */
  const double *constant; /* [rows, cols]: finite where `from` is -1; NULL: zeros */
} step_arrangement;

extern const step_kind step_arrange; /* of: step_arrangement */

/* The number of its value; both arrays stay the caller's, who may have the network own them (network_own) from then on.
 * Errors, in the builder: ATTCERT_INPUT (an entry that the input does not have, a constant that is no number). */
int step_arrange_add(network_builder *b, int value, const step_arrangement *of);

#endif
