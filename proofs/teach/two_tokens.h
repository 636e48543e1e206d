/* The head of the first lesson: two tokens in the plane, queries, keys and values in R^1, so that every sum can be
 * written out. At X both queries are 0, hence all scores 0 and all weights 1/2. */
#ifndef ATTCERT_PROOFS_TEACH_TWO_TOKENS_H
#define ATTCERT_PROOFS_TEACH_TWO_TOKENS_H

#include "kernel/layer/attention.h"

int printf(const char *format, ...);

enum { TOKENS = 2, DIM = 2, COLUMNS = TOKENS * DIM, ROOM = 64 };

static double two_tokens_query[DIM] = {1.0, 1.0}, two_tokens_key[DIM] = {1.0, 0.0}, two_tokens_value[DIM] = {1.0, 0.0};
static const double two_tokens_x[COLUMNS] = {1.0, -1.0, -1.0, 1.0};
static const attcert_layer two_tokens = {.dim = DIM,
                                         .heads = 1,
                                         .head_dim = 1,
                                         .out_dim = 1,
                                         .mask = ATTCERT_MASK_NONE,
                                         .query_weight = two_tokens_query,
                                         .key_weight = two_tokens_key,
                                         .value_weight = two_tokens_value};

#endif
