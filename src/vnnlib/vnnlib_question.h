/* What a VNN-LIB file asks: whether some input of a box has outputs of a kind. Supported are bounds of each input, and
 * of outputs conditions Y_i >= Y_j, Y_i >= c, Y_i <= c and their like: all of them together, or a disjunction of
 * conjunctions. */
#ifndef ATTCERT_VNNLIB_VNNLIB_QUESTION_H
#define ATTCERT_VNNLIB_VNNLIB_QUESTION_H

#include "attcert.h"

/* Y_plus - Y_minus >= c for a real c of [down, up], doubles around the decimal number; plus, minus -1: without it. */
typedef struct {
  int plus, minus;
  double down, up;
} vnnlib_condition;

/* Doubles around a decimal bound. */
typedef struct {
  double down, up;
} vnnlib_bound;

typedef struct {
  int inputs, outputs;
  vnnlib_bound *least, *most; /* [inputs] */
  vnnlib_condition *condition;
  int conditions;
  int *first; /* [cases + 1]: condition first[k] .. first[k + 1] - 1 hold together in case k */
  int cases;  /* one of which suffices */
  size_t capacity, case_capacity;
} vnnlib_question;

/* vnnlib_question_clear is due in every case. Errors: ATTCERT_INPUT (by line: what is not understood, an input without
 * bounds), ATTCERT_RESOURCE. */
attcert_status vnnlib_question_read(vnnlib_question *question, const char *path, attcert_error *err);
attcert_status vnnlib_question_parse(vnnlib_question *question, const char *text, size_t size, attcert_error *err);
void vnnlib_question_clear(vnnlib_question *question);

#endif
