/* What a VNN-LIB file asks: whether some input of a box has outputs of a kind. Supported are bounds of each input, and
 * of outputs conditions Y_i >= Y_j, Y_i >= c, Y_i <= c and their like: all of them together, or a disjunction of
 * conjunctions, which may bound inputs, too; or inputs lie in one of several boxes. Of version 2.0: one network of one
 * input and one output, X[0, 3] and Y[0] in the order of their shapes. Files may be packed (vnnlib_unpack.h). */
#ifndef ATTCERT_VNNLIB_VNNLIB_QUESTION_H
#define ATTCERT_VNNLIB_VNNLIB_QUESTION_H

#include "attcert.h"
#include "vnnlib/vnnlib_bound.h"

/* Y_plus - Y_minus >= c for a real c of [down, up], doubles around the decimal number; plus, minus -1: without it. */
typedef struct {
  int plus, minus;
  double down, up;
} vnnlib_condition;

/* X_input >= bound, where that is `below`, or <=, in case `of`, or in box -1 - of. */
typedef struct {
  int of, input;
  bool below;
  vnnlib_bound bound;
} vnnlib_side;

typedef struct {
  int inputs, outputs;
  vnnlib_bound *least, *most; /* [inputs] */
  vnnlib_condition *condition;
  int conditions;
  int *first;        /* [cases + 1]: condition first[k] .. first[k + 1] - 1 hold together in case k */
  int cases;         /* one of which suffices */
  vnnlib_side *side; /* bounds of inputs within a disjunction */
  int sides;
  int boxes; /* of a disjunction of inputs alone, in one of which the input is; 0: there is none */
  size_t capacity, case_capacity, side_capacity;
} vnnlib_question;

/* vnnlib_question_clear is due in every case. Errors: ATTCERT_INPUT (by line: what is not understood, an input without
 * bounds), ATTCERT_RESOURCE. */
attcert_status vnnlib_question_read(vnnlib_question *question, const char *path, attcert_error *err);
attcert_status vnnlib_question_parse(vnnlib_question *question, const char *text, size_t size, attcert_error *err);
void vnnlib_question_clear(vnnlib_question *question);

/* The sharper of two bounds holds. */
void vnnlib_side_apply(vnnlib_bound *least, vnnlib_bound *most, const vnnlib_side *side);

/* ATTCERT_INPUT where an input lacks a bound, or they cross. */
attcert_status vnnlib_bounds_check(const vnnlib_bound *least, const vnnlib_bound *most, int inputs, attcert_error *err);

#endif
