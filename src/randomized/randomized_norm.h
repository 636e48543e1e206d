/* The norm of any matrix that is known by products with it and its transpose, at the price of a few power iterations
 * (T14): ||A||_2 is the largest eigenvalue of the symmetric (0 A; A^T 0), and a product with that is off by no more
 * than those with A and A^T are. */
#ifndef ATTCERT_RANDOMIZED_RANDOMIZED_NORM_H
#define ATTCERT_RANDOMIZED_RANDOMIZED_NORM_H

#include "randomized/randomized_upper.h"

typedef struct {
  size_t rows, cols;
  attcert_product product;
  void *context;
  double error; /* ||computed - A x|| <= error ||x||, and so for A^T */
} randomized_matrix;

/* lower <= ||A||_2, always, along `direction` (cols entries, any length; NULL: it is not wanted); ||A||_2 <=
 * answer->upper but for the question's probability; its width is of upper /
 * estimate - 1. Errors: ATTCERT_INPUT (products that are not finite), ATTCERT_RESOURCE, ATTCERT_CANCELLED, also where a
 * product ended the run; the ends are then 0 and +inf. */
attcert_status randomized_norm(double *lower, double *direction, randomized_answer *answer, const randomized_matrix *a,
                               randomized_question *question, attcert_error *err);

/* Bytes that it takes at most, but for more steps than usual. */
uint64_t randomized_norm_bytes(size_t rows, size_t cols);

#endif
