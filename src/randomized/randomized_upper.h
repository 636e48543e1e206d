/* An upper end of the largest eigenvalue of a symmetric matrix, where that is not negative, at the price of a few power
 * iterations (T14). It is below the eigenvalue with probability at most 2^failure_log2 over the random bits of the
 * starts, whatever the matrix: nothing is assumed about its spectrum. */
#ifndef ATTCERT_RANDOMIZED_RANDOMIZED_UPPER_H
#define ATTCERT_RANDOMIZED_RANDOMIZED_UPPER_H

#include "randomized/randomized_lanczos.h"

typedef struct {
  double failure_log2;  /* < 0 */
  double width;         /* asked of sqrt(upper / of_vector) - 1 */
  double loss;          /* what roundings will take from the two roots together: the ends come closer by as much */
  double most_products; /* where more would be needed, about, no end is looked for; 0: whatever it takes */
  randomized_bits bits;
  const attcert_options *options; /* who is told, and may end it; or NULL */
} randomized_question;

typedef struct {
  double upper;     /* +inf: none was found */
  double estimate;  /* the largest Ritz value */
  double of_vector; /* that of the vector */
  int starts, steps;
} randomized_answer;

/* vector (length entries): the Ritz vector of the first start, not normalised, a direction for a lower end. Errors:
 * ATTCERT_RESOURCE, ATTCERT_CANCELLED; answer->upper stays +inf. */
attcert_status randomized_upper(randomized_answer *answer, double *vector, const randomized_operator *g,
                                randomized_question *question, attcert_error *err);

/* Bytes that it takes at most, but for more steps than usual. */
uint64_t randomized_upper_bytes(size_t length);

/* Starts that it takes at most, and so the vectors that the operator is given at a time. */
enum { RANDOMIZED_STARTS_MOST = 32 };

#endif
