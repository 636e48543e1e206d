/* Recursive descent over ACSL's precedence, loosest first: ?: <==> ==> || && comparisons + - * / unary. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acsl_expression.h"

void acsl_error(const char *file, const char *text, const char *expected) {
  fprintf(stderr, "%s: expected %s at '%.60s'\n", file, expected, text);
  exit(1);
}

/* Comments to the end of a line count as spaces. */
static void skip_spaces(const char **text) {
  for (;;) {
    while (isspace((unsigned char)**text)) ++*text;
    if (strncmp(*text, "//", 2) != 0) return;
    *text += strcspn(*text, "\n");
  }
}

bool acsl_token(const char **text, const char *token) {
  skip_spaces(text);
  const size_t length = strlen(token);
  if (strncmp(*text, token, length) != 0) return false;
  *text += length;
  return true;
}

bool acsl_identifier(const char **text, char *name) {
  skip_spaces(text);
  const char *end = *text;
  if (*end == '\\') end++;
  if (!isalpha((unsigned char)*end) && *end != '_') return false;
  while (isalnum((unsigned char)*end) || *end == '_') end++;
  const size_t length = (size_t)(end - *text);
  if (length >= ACSL_NAME) acsl_error("acsl", *text, "a shorter name");
  memcpy(name, *text, length);
  name[length] = '\0';
  *text = end;
  return true;
}

static acsl_expression *parse_sum(const char **text, const char *file);
static acsl_expression *parse_implication(const char **text, const char *file);

static acsl_expression *node(acsl_kind kind, acsl_expression *first, acsl_expression *second) {
  acsl_expression *const e = calloc(1, sizeof *e);
  if (e == NULL) abort();
  e->kind = kind;
  if (first != NULL) e->child[e->children++] = first;
  if (second != NULL) e->child[e->children++] = second;
  return e;
}

void acsl_expression_free(acsl_expression *e) {
  if (e == NULL) return;
  for (int i = 0; i < e->children; i++) acsl_expression_free(e->child[i]);
  free(e);
}

static void parse_arguments(acsl_expression *call, const char **text, const char *file) {
  if (!acsl_token(text, "(")) acsl_error(file, *text, "'('");
  do {
    if (call->children == ACSL_PARAMETERS) acsl_error(file, *text, "fewer arguments");
    call->child[call->children++] = acsl_parse(text, file);
  } while (acsl_token(text, ","));
  if (!acsl_token(text, ")")) acsl_error(file, *text, "')'");
}

/* integer i; a <= i < b ==> body   or   char *p; \valid{Pre}(p) ==> \base_addr(p) != \base_addr(\result) */
static acsl_expression *parse_quantifier(const char **text, const char *file) {
  static const char FRESH[] = "\\valid{Pre}(p) ==> \\base_addr(p) != \\base_addr(\\result)";
  if (acsl_token(text, "char *p;")) {
    if (!acsl_token(text, FRESH)) acsl_error(file, *text, FRESH);
    return node(ACSL_FRESH, NULL, NULL);
  }
  char name[ACSL_NAME];
  if (!acsl_token(text, "integer ") || !acsl_identifier(text, name) || !acsl_token(text, ";"))
    acsl_error(file, *text, "an integer, or any pointer to characters");
  acsl_expression *const e = node(ACSL_FOR_ALL, parse_sum(text, file), NULL);
  snprintf(e->name, sizeof e->name, "%s", name);
  if (!acsl_token(text, "<=") || !acsl_token(text, name) || !acsl_token(text, "<"))
    acsl_error(file, *text, "its range");
  e->child[e->children++] = parse_sum(text, file);
  if (!acsl_token(text, "==>")) acsl_error(file, *text, "'==>'");
  e->child[e->children++] = parse_implication(text, file);
  return e;
}

static acsl_expression *parse_named(const char *name, const char **text, const char *file) {
  if (strcmp(name, "\\result") == 0) return node(ACSL_RESULT, NULL, NULL);
  if (strcmp(name, "\\forall") == 0) return parse_quantifier(text, file);
  acsl_expression *const e = node(strcmp(name, "\\old") == 0 ? ACSL_OLD : ACSL_VARIABLE, NULL, NULL);
  snprintf(e->name, sizeof e->name, "%s", name);
  if (acsl_token(text, "{")) {
    e->before = acsl_token(text, "Pre");
    if (acsl_token(text, ",") && !acsl_token(text, "Post")) acsl_error(file, *text, "the label Post");
    if (!acsl_token(text, "}")) acsl_error(file, *text, "the label Pre");
  }
  skip_spaces(text);
  if (**text == '(') {
    if (e->kind == ACSL_VARIABLE) e->kind = ACSL_CALL;
    parse_arguments(e, text, file);
  }
  return e;
}

static acsl_expression *parse_primary(const char **text, const char *file) {
  char name[ACSL_NAME];
  acsl_expression *e;
  skip_spaces(text);
  if (isdigit((unsigned char)**text)) {
    char *end;
    e = node(ACSL_CONSTANT, NULL, NULL);
    e->constant = strtod(*text, &end); /* hexadecimal and short decimal constants, exact in double */
    *text = end;
  } else if (**text == '\'' && (*text)[1] != '\0' && (*text)[2] == '\'') {
    e = node(ACSL_CONSTANT, NULL, NULL);
    e->constant = (*text)[1];
    *text += 3;
  } else if (acsl_token(text, "(0 ..")) {
    e = node(ACSL_RANGE, acsl_parse(text, file), NULL);
    if (!acsl_token(text, ")")) acsl_error(file, *text, "')'");
  } else if (acsl_token(text, "(")) {
    e = acsl_parse(text, file);
    if (!acsl_token(text, ")")) acsl_error(file, *text, "')'");
  } else if (acsl_identifier(text, name)) {
    e = parse_named(name, text, file);
  } else {
    acsl_error(file, *text, "a term");
  }
  for (;;) {
    if (acsl_token(text, "->")) {
      e = node(ACSL_FIELD, e, NULL);
      if (!acsl_identifier(text, e->name)) acsl_error(file, *text, "a field");
    } else if (acsl_token(text, "[")) {
      e = node(ACSL_CHARACTER, e, acsl_parse(text, file));
      if (!acsl_token(text, "]")) acsl_error(file, *text, "']'");
    } else {
      break;
    }
  }
  return e;
}

static acsl_expression *parse_unary(const char **text, const char *file) {
  skip_spaces(text);
  if (**text == '!' && (*text)[1] != '=') {
    ++*text;
    return node(ACSL_NOT, parse_unary(text, file), NULL);
  }
  if (acsl_token(text, "-")) return node(ACSL_MINUS, parse_unary(text, file), NULL);
  if (acsl_token(text, "*")) return node(ACSL_DEREFERENCE, parse_unary(text, file), NULL);
  return parse_primary(text, file);
}

static acsl_expression *parse_product(const char **text, const char *file) {
  acsl_expression *e = parse_unary(text, file);
  for (;;) {
    if (acsl_token(text, "*"))
      e = node(ACSL_TIMES, e, parse_unary(text, file));
    else if (acsl_token(text, "/"))
      e = node(ACSL_QUOTIENT, e, parse_unary(text, file));
    else
      return e;
  }
}

static acsl_expression *parse_sum(const char **text, const char *file) {
  acsl_expression *e = parse_product(text, file);
  for (;;) {
    if (acsl_token(text, "+"))
      e = node(ACSL_PLUS, e, parse_product(text, file));
    else if (acsl_token(text, "-"))
      e = node(ACSL_DIFFERENCE, e, parse_product(text, file));
    else
      return e;
  }
}

static const char *comparison_operator(const char **text) {
  static const char *const OPERATOR[] = {"<=", ">=", "==", "!=", "<", ">"};
  skip_spaces(text);
  if (strncmp(*text, "<==>", 4) == 0 || strncmp(*text, "==>", 3) == 0) return NULL;
  for (size_t i = 0; i < sizeof OPERATOR / sizeof OPERATOR[0]; i++) {
    if (acsl_token(text, OPERATOR[i])) return OPERATOR[i];
  }
  return NULL;
}

/* a <= b < c is a <= b && b < c: the middle term is parsed twice, as trees share nothing. */
static acsl_expression *parse_comparison(const char **text, const char *file) {
  acsl_expression *left = parse_sum(text, file), *all = NULL;
  const char *operator;
  while ((operator= comparison_operator(text)) != NULL) {
    const char *again = *text;
    acsl_expression *const comparison = node(ACSL_COMPARISON, left, parse_sum(text, file));
    snprintf(comparison->name, sizeof comparison->name, "%s", operator);
    all = all == NULL ? comparison : node(ACSL_AND, all, comparison);
    left = parse_sum(&again, file);
  }
  if (all == NULL) return left;
  acsl_expression_free(left);
  return all;
}

static acsl_expression *parse_and(const char **text, const char *file) {
  acsl_expression *e = parse_comparison(text, file);
  while (acsl_token(text, "&&")) e = node(ACSL_AND, e, parse_comparison(text, file));
  return e;
}

static acsl_expression *parse_or(const char **text, const char *file) {
  acsl_expression *e = parse_and(text, file);
  while (acsl_token(text, "||")) e = node(ACSL_OR, e, parse_and(text, file));
  return e;
}

static acsl_expression *parse_implication(const char **text, const char *file) {
  acsl_expression *const e = parse_or(text, file);
  return acsl_token(text, "==>") ? node(ACSL_IMPLIES, e, parse_implication(text, file)) : e;
}

static acsl_expression *parse_equivalence(const char **text, const char *file) {
  acsl_expression *e = parse_implication(text, file);
  while (acsl_token(text, "<==>")) e = node(ACSL_EQUIVALENT, e, parse_implication(text, file));
  return e;
}

acsl_expression *acsl_parse(const char **text, const char *file) {
  acsl_expression *const e = parse_equivalence(text, file);
  if (!acsl_token(text, "?")) return e;
  acsl_expression *const choice = node(ACSL_CONDITIONAL, e, acsl_parse(text, file));
  if (!acsl_token(text, ":")) acsl_error(file, *text, "':'");
  choice->child[choice->children++] = acsl_parse(text, file);
  return choice;
}
