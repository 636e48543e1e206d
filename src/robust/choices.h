/* A network's answer where some rows of its input are one of several, such as the embeddings of a word and of its
 * synonyms: whether it is the same for every combination. Where there are few, each is enclosed by itself; otherwise
 * the margin is bounded over the hull of each row's choices,
 *
 *   x_i = c_i + sum_j lambda_j (v_ij - c_i),  lambda >= 0, sum_j lambda_j = 1,  c_i about the mean of the v_ij,
 *
 * a symbol a choice, whose sum of sizes is at most 1 (form_segment.sum). */
#ifndef ATTCERT_ROBUST_CHOICES_H
#define ATTCERT_ROBUST_CHOICES_H

#include "robust/verdict.h"

enum { ROBUST_ENUMERATE = 64, ROBUST_MOST_ENUMERATE = 1000000 };

typedef struct {
  int tokens, dim;
  int *first;  /* [tokens + 1]: choices first[i] .. first[i + 1] - 1 of row i, the input's own row first */
  double *row; /* [first[tokens], dim] */
  bool *moves; /* [tokens]: rows of several choices */
  attcert_matrix middle;
  ball_hull hull;
  double combinations; /* how many, rounded where there are more than 2^53 */
  bool enumerated;     /* how the answer was found */
  uint64_t evaluated;  /* combinations that were enclosed */
  int *pick;           /* [tokens]: the choices of the counterexample, from 0; valid where there is one */
} robust_choices;

/* Copies; first[0] = 0, at least one choice a row, finite numbers. robust_choices_clear is due in every case. Errors:
 * ATTCERT_INPUT (no row has several), ATTCERT_RESOURCE. */
attcert_status robust_choices_init(robust_choices *c, int tokens, int dim, const int *first, const double *row,
                                   attcert_error *err);
void robust_choices_clear(robust_choices *c);

/* Answers; of the ball its label is taken, its region becomes that of the choices, its input is the first choice of all
 * rows. The margin there, without a gradient's norm, is the verdict's center. enumerate: at most so many combinations
 * one by one. certified is 1 or 0, refuted 0 or infinite. Errors: ATTCERT_RESOURCE, ATTCERT_CANCELLED. */
attcert_status robust_choices_decide(robust_verdict *verdict, robust_choices *c, const network_steps *network,
                                     robust_ball *ball, const robust_question *question, int enumerate,
                                     attcert_error *err);

#endif
