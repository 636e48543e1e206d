/* Syntax trees of ACSL terms and predicates: what acsl_model.c builds and acsl_evaluate.c walks. */
#ifndef ATTCERT_TESTS_SUPPORT_ACSL_EXPRESSION_H
#define ATTCERT_TESTS_SUPPORT_ACSL_EXPRESSION_H

#include "acsl.h"

typedef enum {
  ACSL_CONSTANT,
  ACSL_VARIABLE,
  ACSL_RESULT,
  ACSL_CALL,        /* name{label}(children) */
  ACSL_FIELD,       /* child->name */
  ACSL_DEREFERENCE, /* *child */
  ACSL_CHARACTER,   /* child[child] of a text */
  ACSL_RANGE,       /* (0 .. child) */
  ACSL_FOR_ALL,     /* integers called name: first <= name < end ==> third child */
  ACSL_FRESH,       /* no valid pointer points into the result */
  ACSL_OLD,
  ACSL_NOT,
  ACSL_MINUS,
  ACSL_PLUS,
  ACSL_DIFFERENCE,
  ACSL_TIMES,
  ACSL_QUOTIENT,
  ACSL_COMPARISON, /* name: the operator */
  ACSL_AND,
  ACSL_OR,
  ACSL_IMPLIES,
  ACSL_EQUIVALENT,
  ACSL_CONDITIONAL
} acsl_kind;

struct acsl_expression {
  acsl_kind kind;
  char name[ACSL_NAME];
  bool before; /* labelled {Pre} */
  double constant;
  acsl_expression *child[ACSL_PARAMETERS];
  int children;
};

/* Parses a term or predicate up to the character that cannot continue it, and moves *text there. */
acsl_expression *acsl_parse(const char **text, const char *file);
void acsl_expression_free(acsl_expression *e);

/* Reads a C identifier (with ACSL's backslash, if any) into name; false, *text unmoved, when there is none. */
bool acsl_identifier(const char **text, char *name);
/* Skips spaces, then `token` if it is next. */
bool acsl_token(const char **text, const char *token);
_Noreturn void acsl_error(const char *file, const char *text, const char *expected);

#endif
