/* A call of every function of attcert.h that computes, to be made in different floating-point environments
 * (tests/structure/test_gates.sh: none is missing). */
#ifndef ATTCERT_TESTS_SUPPORT_ENVIRONMENT_CALLS_H
#define ATTCERT_TESTS_SUPPORT_ENVIRONMENT_CALLS_H

#include "problem_case.h"

enum { ENVIRONMENT_TOKENS = 3, ENVIRONMENT_DIM = 8 };

/* What they work on, made in the default environment. */
typedef struct {
  problem_case p;        /* 5 tokens in 4 dimensions; subnormal numbers show in its output */
  attcert_matrix u, v;   /* directions, of the input's shape and the output's */
  attcert_model *random; /* a network, and its hidden states */
  double hidden[ENVIRONMENT_TOKENS * ENVIRONMENT_DIM];
  attcert_model *model; /* one whose answer depends on subnormal products; NULL: no data folder has it */
  attcert_matrix model_hidden;
  char weights[512], input[512]; /* files of another layer, in temp_folder_shared */
} environment_calls;

void environment_calls_init(environment_calls *s);
void environment_calls_clear(environment_calls *s);

int environment_calls_count(void);
const char *environment_calls_name(int call);

/* Makes the call; a hash of every bit of what it gave, but for the time and memory that it took. */
uint64_t environment_calls_digest(environment_calls *s, int call);

#endif
