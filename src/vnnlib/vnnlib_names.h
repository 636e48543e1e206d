/* What a VNN-LIB file calls its inputs and outputs: X_0, X_1, .., Y_0, .. of version 1.0, (declare-const X_0 Real); of
 * 2.0 tensors, (declare-network N (declare-input X float32 [1, 28]) (declare-output Y float32 [10])), and X[0, 3] an
 * entry. */
#ifndef ATTCERT_VNNLIB_VNNLIB_NAMES_H
#define ATTCERT_VNNLIB_VNNLIB_NAMES_H

#include "vnnlib/vnnlib_bound.h"
#include "vnnlib/vnnlib_terms.h"

enum { VNNLIB_INPUT, VNNLIB_OUTPUT, VNNLIB_RANK_MOST = 8 };

typedef struct {
  char name[64]; /* of a tensor; empty: X or Y of version 1.0 */
  int rank, side[VNNLIB_RANK_MOST];
  int count; /* entries that are declared */
} vnnlib_tensor;

typedef struct {
  vnnlib_tensor tensor[2];
} vnnlib_names;

/* Of declare-const or declare-network, the term `head`. Errors: ATTCERT_INPUT, what was expected. */
attcert_status vnnlib_names_declare(vnnlib_names *names, const vnnlib_terms *terms, int head, attcert_error *err);

/* The number of an entry of the input or the output that term t names; -1: none. */
int vnnlib_names_find(const vnnlib_names *names, const vnnlib_terms *terms, int t, int tensor);

/* Doubles around the decimal number of term t; false: it is none. */
bool vnnlib_number(vnnlib_bound *x, const vnnlib_terms *terms, int t);

#endif
