/* A random layer and input as a problem of the public interface, which borrows its arrays. */
#ifndef ATTCERT_TESTS_SUPPORT_PROBLEM_CASE_H
#define ATTCERT_TESTS_SUPPORT_PROBLEM_CASE_H

#include "random_layer.h"

typedef struct {
  layer_case c;
  attcert_problem *problem;
} problem_case;

/* Gaussian, of this shape; index: which one. */
void problem_case_init(problem_case *p, const layer_shape *shape, uint64_t index);

/* A small one: 4 tokens, 2 heads, biases and an output projection; causal where index is odd. */
void problem_case_init_small(problem_case *p, uint64_t index);

/* The problem takes the arrays, heads and mask of p->c as they now are. */
void problem_case_set(problem_case *p);
void problem_case_clear(problem_case *p);

#endif
