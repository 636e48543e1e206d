#include "vnnlib/vnnlib_terms.h"

#include "base/growing_array.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  vnnlib_terms *terms;
  int *open; /* the lists that are, outermost first */
  int depth;
  size_t capacity;
  int *last; /* of each open list, -1: none yet */
  size_t last_capacity;
  attcert_error *err;
} parser;

static attcert_status open_list(parser *p, int t) {
  attcert_status status =
      growing_array_room(&p->open, &p->capacity, (size_t)p->depth, sizeof *p->open, p->err, "lists");
  if (status == ATTCERT_OK)
    status = growing_array_room(&p->last, &p->last_capacity, (size_t)p->depth, sizeof *p->last, p->err, "lists");
  if (status != ATTCERT_OK) return status;
  p->open[p->depth] = t;
  p->last[p->depth++] = -1;
  return ATTCERT_OK;
}

/* Behind the last one of the innermost list. */
static attcert_status add_term(parser *p, const vnnlib_term *term) {
  vnnlib_terms *const all = p->terms;
  if (all->count == INT_MAX) return attcert_fail(p->err, ATTCERT_INPUT, "more than 2^31 words");
  const attcert_status status =
      growing_array_room(&all->term, &all->capacity, (size_t)all->count, sizeof *all->term, p->err, "terms");
  if (status != ATTCERT_OK) return status;
  if (p->depth > 0) {
    int *const last = &p->last[p->depth - 1];
    if (*last < 0)
      all->term[p->open[p->depth - 1]].first = all->count;
    else
      all->term[*last].next = all->count;
    *last = all->count;
  }
  all->term[all->count++] = *term;
  return ATTCERT_OK;
}

static attcert_status begin_list(parser *p, int line) {
  const attcert_status status = add_term(p, &(vnnlib_term){.first = -1, .next = -1, .line = line});
  return status == ATTCERT_OK ? open_list(p, p->terms->count - 1) : status;
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* How many bytes the word, the space or the comment that begins here has. */
static size_t extent(const char *text, size_t size) {
  size_t length = 0;
  if (text[0] == ';') {
    while (length < size && text[length] != '\n') length++;
    return length;
  }
  bool within = false; /* [1, 28, 28] is one word */
  for (; length < size && text[length] != '\n' && text[length] != '\0'; length++) {
    if (!within && (is_space(text[length]) || strchr("();", text[length]) != NULL)) break;
    within = text[length] == '[' || (within && text[length] != ']');
  }
  return length > 0 ? length : 1;
}

static attcert_status parse(parser *p, const char *text, size_t size) {
  int line = 1;
  attcert_status status = begin_list(p, line);
  for (size_t at = 0, length; at < size && status == ATTCERT_OK; at += length) {
    const char c = text[at];
    length = extent(text + at, size - at);
    if (c == '\n') line++;
    if (is_space(c) || c == ';') continue;
    if (c == '\0' || c == '|' || c == '"') return attcert_fail(p->err, ATTCERT_INPUT, "line %d: not understood", line);
    if (c == '(')
      status = begin_list(p, line);
    else if (c != ')')
      status = add_term(p, &(vnnlib_term){text + at, (int)length, -1, -1, line});
    else if (--p->depth == 0)
      return attcert_fail(p->err, ATTCERT_INPUT, "line %d: ')' without its '('", line);
  }
  if (status == ATTCERT_OK && p->depth != 1)
    return attcert_fail(p->err, ATTCERT_INPUT, "line %d: the file ends within '('", line);
  return status;
}

attcert_status vnnlib_terms_parse(vnnlib_terms *terms, const char *text, size_t size, attcert_error *err) {
  *terms = (vnnlib_terms){0};
  if (size > INT_MAX) return attcert_fail(err, ATTCERT_INPUT, "%zu bytes, expected fewer than 2^31", size);
  parser p = {.terms = terms, .err = err};
  const attcert_status status = parse(&p, text, size);
  free(p.open);
  free(p.last);
  return status;
}

void vnnlib_terms_clear(vnnlib_terms *terms) {
  free(terms->term);
  *terms = (vnnlib_terms){0};
}

bool vnnlib_terms_is(const vnnlib_terms *terms, int t, const char *word) {
  if (t < 0 || terms->term[t].word == NULL) return false;
  const size_t length = (size_t)terms->term[t].length;
  return strlen(word) == length && memcmp(terms->term[t].word, word, length) == 0;
}
