/* Reads definitions and contracts out of .acsl files and annotated headers. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acsl_expression.h"

enum { MOST_DEFINITIONS = 64, MOST_FUNCTIONS = 128 };

static char *read_file(const char *path) {
  FILE *const f = fopen(path, "rb");
  if (f == NULL) acsl_error(path, "", "a readable file");
  fseek(f, 0, SEEK_END);
  const long size = ftell(f);
  rewind(f);
  char *const text = calloc((size_t)size + 1, 1);
  if (text == NULL || fread(text, 1, (size_t)size, f) != (size_t)size) acsl_error(path, "", "its bytes");
  fclose(f);
  return text;
}

/* Adds a word to a text of words. */
static void append_word(char *text, const char *word) {
  const size_t length = strlen(text);
  snprintf(text + length, ACSL_NAME - length, "%s%s", length > 0 ? " " : "", word);
}

/* "type name, ..." up to the closing parenthesis; the last word is the name, the others are the type. */
static int parse_parameters(const char **text, char (*type)[ACSL_NAME], char (*name)[ACSL_NAME], const char *file) {
  int count = 0;
  char word[ACSL_NAME];
  do {
    if (count == ACSL_PARAMETERS) acsl_error(file, *text, "fewer parameters");
    name[count][0] = '\0';
    if (type != NULL) type[count][0] = '\0';
    for (;;) {
      if (acsl_token(text, "*"))
        snprintf(word, sizeof word, "*");
      else if (!acsl_identifier(text, word))
        break;
      if (type != NULL && name[count][0] != '\0') append_word(type[count], name[count]);
      memcpy(name[count], word, ACSL_NAME);
    }
    count++;
  } while (acsl_token(text, ","));
  if (!acsl_token(text, ")")) acsl_error(file, *text, "')'");
  return count;
}

static void skip_to_semicolon(const char **text) {
  *text += strcspn(*text, ";");
  *text += **text == ';';
}

/* predicate NAME{L}(...) = body;   or   logic TYPE NAME{L}(...) = body;   true when *text was at one, or at something
 * that no clause can call here: a lemma, or a definition about two memories. */
static bool parse_definition(acsl_model *model, const char **text, const char *file) {
  char word[ACSL_NAME];
  if (acsl_token(text, "axiomatic ")) { /* functions that the evaluation knows */
    *text += strcspn(*text, "}");
    *text += **text == '}';
    return true;
  }
  if (acsl_token(text, "lemma ")) {
    skip_to_semicolon(text);
    return true;
  }
  const bool logic = acsl_token(text, "logic ");
  if (!logic && !acsl_token(text, "predicate ")) return false;
  if (logic) acsl_identifier(text, word); /* its type */
  if (model->definitions == MOST_DEFINITIONS) acsl_error(file, *text, "fewer definitions");
  acsl_definition *const d = &model->definition[model->definitions];
  if (!acsl_identifier(text, d->name)) acsl_error(file, *text, "a name");
  if (acsl_token(text, "{")) {
    acsl_identifier(text, word);
    if (!acsl_token(text, "}")) {
      skip_to_semicolon(text);
      return true;
    }
  }
  model->definitions++;
  if (!acsl_token(text, "(")) acsl_error(file, *text, "'('");
  d->parameters = parse_parameters(text, NULL, d->parameter, file);
  if (!acsl_token(text, "=")) acsl_error(file, *text, "'='");
  d->body = acsl_parse(text, file);
  if (!acsl_token(text, ";")) acsl_error(file, *text, "';'");
  return true;
}

static void parse_clause(acsl_clause *clause, const char **text, const char *file) {
  const char *after = *text;
  *clause = (acsl_clause){.label = ""};
  if (acsl_identifier(&after, clause->label) && acsl_token(&after, ":"))
    *text = after;
  else
    clause->label[0] = '\0';
  clause->body = acsl_parse(text, file);
  if (!acsl_token(text, ";")) acsl_error(file, *text, "';'");
}

/* The clauses of a contract; the rest of assigns and terminates are WP's business. */
static void parse_contract(acsl_function *f, const char **text, const char *file) {
  while (!acsl_token(text, "*/")) {
    if (f->requirements == ACSL_CLAUSES || f->clauses == ACSL_CLAUSES) acsl_error(file, *text, "fewer clauses");
    if (acsl_token(text, "requires ")) {
      parse_clause(&f->requirement[f->requirements++], text, file);
    } else if (acsl_token(text, "ensures ")) {
      parse_clause(&f->ensured[f->clauses++], text, file);
    } else if (acsl_token(text, "assigns ")) {
      const char *const lives = strstr(*text, "mpfr_lives");
      f->changes_lives = lives != NULL && lives < strchr(*text, ';');
      skip_to_semicolon(text);
    } else if (acsl_token(text, "terminates ")) {
      skip_to_semicolon(text);
    } else {
      acsl_error(file, *text, "a clause");
    }
  }
}

/* TYPE NAME(...); after its contract. */
static void parse_prototype(acsl_function *f, const char **text, const char *file) {
  char word[ACSL_NAME];
  do {
    while (acsl_identifier(text, word)) snprintf(f->name, sizeof f->name, "%s", word);
  } while (acsl_token(text, "*"));
  if (!acsl_token(text, "(")) acsl_error(file, *text, "'('");
  f->parameters = parse_parameters(text, f->type, f->parameter, file);
  if (!acsl_token(text, ";")) acsl_error(file, *text, "';'");
}

static bool at_contract(const char *text) {
  return acsl_token(&text, "requires ") || acsl_token(&text, "terminates ") || acsl_token(&text, "assigns ");
}

static void parse_file(acsl_model *model, const char *path) {
  char *const file = read_file(path);
  for (const char *text = file; (text = strstr(text, "/*@")) != NULL;) {
    text += 3;
    if (at_contract(text)) {
      if (model->functions == MOST_FUNCTIONS) acsl_error(path, text, "fewer functions");
      acsl_function *const f = &model->function[model->functions++];
      parse_contract(f, &text, path);
      parse_prototype(f, &text, path);
    } else {
      while (parse_definition(model, &text, path)) {
      }
      if (!acsl_token(&text, "*/")) acsl_error(path, text, "a definition by an equation");
    }
  }
  free(file);
}

acsl_model *acsl_model_read(const char *const *paths, int count) {
  acsl_model *const model = calloc(1, sizeof *model);
  if (model == NULL) abort();
  model->definition = calloc(MOST_DEFINITIONS, sizeof *model->definition);
  model->function = calloc(MOST_FUNCTIONS, sizeof *model->function);
  if (model->definition == NULL || model->function == NULL) abort();
  for (int i = 0; i < count; i++) parse_file(model, paths[i]);
  return model;
}

void acsl_model_free(acsl_model *model) {
  for (int i = 0; i < model->definitions; i++) acsl_expression_free(model->definition[i].body);
  for (int i = 0; i < model->functions; i++) {
    acsl_function *const f = &model->function[i];
    for (int c = 0; c < f->requirements; c++) acsl_expression_free(f->requirement[c].body);
    for (int c = 0; c < f->clauses; c++) acsl_expression_free(f->ensured[c].body);
  }
  free(model->definition);
  free(model->function);
  free(model);
}
