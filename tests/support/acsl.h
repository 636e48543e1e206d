/* The clauses of ACSL contracts over mpfr.h, read from the specification itself and evaluated on calls of the real
 * library.
 *
 * What is understood: the connectives, comparisons (chained too), + - * / of reals, conditional terms, \result, \old,
 * \abs, x->field for the fields of the models' numbers and integers, *a == *b, labels {Pre}, the characters of a text,
 * its end, *p of an integer, "for all integers i, a <= i < b", and the predicates and logic functions that the
 * specification defines by an equation. prod, quo, rexp, rlog, rroot, power_of_two, power_of_ten, binary_exponent and
 * the classification of doubles are what they are called; initialised, owned and other_lives are what the caller finds
 * out about the digits' memory, and so is a quantifier over pointers, which only says that a text has memory of its
 * own;
 * mpz_initialised and other_mpz_lives what it says of GMP's integers. Anything else is an error, so that no clause is
 * passed over. */
#ifndef ATTCERT_TESTS_SUPPORT_ACSL_H
#define ATTCERT_TESTS_SUPPORT_ACSL_H

#include <stdbool.h>
#include <stddef.h>

#include <mpfr.h> /* before arb.h, which declares its functions for MPFR only then (FLINT 3) */

#include <arb.h>

enum { ACSL_PARAMETERS = 6, ACSL_NAME = 32, ACSL_CLAUSES = 24 };

typedef struct acsl_expression acsl_expression;

typedef struct {
  char name[ACSL_NAME];
  char parameter[ACSL_PARAMETERS][ACSL_NAME];
  int parameters;
  acsl_expression *body;
} acsl_definition;

typedef struct {
  char label[ACSL_NAME]; /* "" when it has none */
  acsl_expression *body;
  long decided, applied; /* evaluations; those in which no premise was false */
} acsl_clause;

/* A function of the model. */
typedef struct {
  char name[ACSL_NAME];
  char type[ACSL_PARAMETERS][ACSL_NAME], parameter[ACSL_PARAMETERS][ACSL_NAME];
  int parameters;
  acsl_clause requirement[ACSL_CLAUSES], ensured[ACSL_CLAUSES];
  int requirements, clauses;
  bool changes_lives; /* `assigns` names mpfr_lives */
} acsl_function;

typedef struct {
  acsl_definition *definition;
  acsl_function *function;
  int definitions, functions;
} acsl_model;

/* Reads files in order. Errors end the program with a line that names the file and the text not understood. */
acsl_model *acsl_model_read(const char *const *paths, int count);
void acsl_model_free(acsl_model *model);

typedef enum { ACSL_TRUTH, ACSL_REAL, ACSL_DOUBLE, ACSL_NUMBER, ACSL_INTEGER, ACSL_TEXT, ACSL_PLACE } acsl_type;

/* A number of MPFR or an integer of GMP lives in two memories, before the call and after it; `number` is its index
 * there. */
typedef struct {
  acsl_type type;
  bool truth;
  arb_t real;      /* always initialised */
  bool reciprocal; /* the real is 1 / real, which has no binary digits: a negative power of ten */
  double floating;
  int number;
  const char *text;  /* NULL: no text */
  const long *place; /* of an integer */
} acsl_value;

typedef struct {
  const acsl_model *model;
  const mpfr_t *before, *after;
  const bool *owned; /* which of the numbers have digits in memory of their own at present */
  int numbers;
  const mpz_t *integer_before, *integer_after; /* NULL where the model has no integers */
  const bool *initialised_before, *initialised_after;
  int integers;
  bool fresh;     /* the text that a function returned is in memory that nobody had before */
  slong bits;     /* of the balls that stand for reals */
  long undecided; /* comparisons that the balls could not decide */
} acsl_state;

/* A clause of f for these arguments and result. */
bool acsl_holds(acsl_state *state, const acsl_function *f, acsl_clause *clause, const acsl_value *arguments,
                const acsl_value *result);

void acsl_value_init(acsl_value *v);
void acsl_value_clear(acsl_value *v);

#endif
