/* The answer to a VNN-LIB question about an ONNX network: unsat, no input of the box has such outputs, for which the
 * margin of every case is bounded over a box that holds the question's, every rounding accounted for (T12); or sat, for
 * which an input is found that lies in the box and whose outputs, enclosed, are so. */
#ifndef ATTCERT_VNNLIB_VNNLIB_ANSWER_H
#define ATTCERT_VNNLIB_VNNLIB_ANSWER_H

#include "vnnlib/vnnlib_question.h"

typedef enum { VNNLIB_UNKNOWN, VNNLIB_UNSAT, VNNLIB_SAT } vnnlib_verdict;

typedef struct {
  vnnlib_verdict verdict;
  double *input, *output; /* of sat: the input, and its outputs about; NULL: none */
  double margin;          /* a lower bound over the box of how far every case is from holding; -inf: none */
} vnnlib_answer;

typedef struct {
  int attack; /* steps of ascent from each start */
  uint64_t memory;
  attcert_progress progress;
  void *progress_context;
} vnnlib_options;

/* vnnlib_answer_clear is due in every case. Errors: ATTCERT_INPUT (a network or a question that is not understood, or
 * that do not fit), ATTCERT_RESOURCE, ATTCERT_CANCELLED. */
attcert_status vnnlib_answer_find(vnnlib_answer *answer, const char *network, const vnnlib_question *question,
                                  const vnnlib_options *options, attcert_error *err);
void vnnlib_answer_clear(vnnlib_answer *answer);

#endif
