#include "vnnlib/vnnlib_question.h"

#include "base/arrays.h"
#include "base/growing_array.h"
#include "model/format/file_kind.h"
#include "model/format/mapped_file.h"
#include "vnnlib/vnnlib_terms.h"

#include <ctype.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  vnnlib_question *q;
  vnnlib_terms terms;
  attcert_error *err;
  bool disjunction; /* there has been one */
} reader;

/* "line 12: .." */
static attcert_status refuse(const reader *r, int t, const char *what) {
  const vnnlib_term *const term = &r->terms.term[t];
  return attcert_fail(r->err, ATTCERT_INPUT, "line %d: %s%s%.*s%s", term->line, what, term->word != NULL ? " ('" : "",
                      term->word != NULL ? term->length : 0, term->word != NULL ? term->word : "",
                      term->word != NULL ? "')" : "");
}

static int next_of(const reader *r, int t) {
  return t < 0 ? -1 : r->terms.term[t].next;
}

static int first_of(const reader *r, int t) {
  return t < 0 || r->terms.term[t].word != NULL ? -1 : r->terms.term[t].first;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

enum { WORD_MOST = 512 };

static bool copy_word(char word[WORD_MOST], const reader *r, int t) {
  if (t < 0 || r->terms.term[t].word == NULL || r->terms.term[t].length >= WORD_MOST) return false;
  memcpy(word, r->terms.term[t].word, (size_t)r->terms.term[t].length);
  word[r->terms.term[t].length] = '\0';
  return true;
}

/* I of X_I or Y_I, below 2^24; -1: another word. */
static int variable(const reader *r, int t, char letter) {
  char word[WORD_MOST];
  if (!copy_word(word, r, t) || word[0] != letter || word[1] != '_' || !isdigit((unsigned char)word[2])) return -1;
  if (strlen(word) > 9 || strspn(word + 2, "0123456789") != strlen(word + 2)) return -1;
  return atoi(word + 2);
}

static bool number(vnnlib_bound *x, const reader *r, int t) {
  char word[WORD_MOST], *end;
  if (!copy_word(word, r, t) || strspn(word, "+-.0123456789eE") != strlen(word)) return false;
  mpfr_t value;
  mpfr_init2(value, 53);
  mpfr_strtofr(value, word, &end, 10, MPFR_RNDD);
  x->down = mpfr_get_d(value, MPFR_RNDD);
  mpfr_strtofr(value, word, NULL, 10, MPFR_RNDU);
  x->up = mpfr_get_d(value, MPFR_RNDU);
  mpfr_clear(value);
  return end != word && *end == '\0' && isfinite(x->down) && isfinite(x->up);
}

/* ---- (declare-const X_0 Real) ------------------------------------------------------------------------------------ */

/* One after the other, from 0. */
static attcert_status declare(reader *r, int t) {
  vnnlib_question *const q = r->q;
  const int name = next_of(r, t), type = next_of(r, name), x = variable(r, name, 'X'), y = variable(r, name, 'Y');
  if (!vnnlib_terms_is(&r->terms, type, "Real") || next_of(r, type) >= 0)
    return refuse(r, t, "expected (declare-const NAME Real)");
  if (y >= 0 && y == q->outputs) {
    q->outputs++;
    return ATTCERT_OK;
  }
  if (x < 0 || x != q->inputs) return refuse(r, name, "expected X_0, X_1, .., Y_0, Y_1, .. in this order");
  q->inputs++;
  return ATTCERT_OK;
}

/* No bound yet: infinite. */
static attcert_status make_bounds(reader *r) {
  vnnlib_question *const q = r->q;
  const size_t count = (size_t)q->inputs;
  const array_table table = {{ARRAY(q->least, count), ARRAY(q->most, count)}};
  const attcert_status status = array_table_allocate(&table, r->err, "bounds of %d inputs", q->inputs);
  for (size_t k = 0; k < count && status == ATTCERT_OK; k++) {
    q->least[k] = (vnnlib_bound){-INFINITY, -INFINITY};
    q->most[k] = (vnnlib_bound){INFINITY, INFINITY};
  }
  return status;
}

/* ---- comparisons ------------------------------------------------------------------------------------------------- */

/* X_i >= bound, or <=; the sharper of two holds. */
static void bound_input(vnnlib_question *q, int i, bool from_below, const vnnlib_bound *bound) {
  vnnlib_bound *const old = from_below ? &q->least[i] : &q->most[i];
  if (from_below)
    *old = (vnnlib_bound){fmax(old->down, bound->down), fmax(old->up, bound->up)};
  else
    *old = (vnnlib_bound){fmin(old->down, bound->down), fmin(old->up, bound->up)};
}

static attcert_status add_condition(reader *r, int plus, int minus, const vnnlib_bound *c) {
  vnnlib_question *const q = r->q;
  const attcert_status status = growing_array_room(&q->condition, &q->capacity, (size_t)q->conditions,
                                                   sizeof *q->condition, r->err, "conditions");
  if (status != ATTCERT_OK) return status;
  q->condition[q->conditions++] = (vnnlib_condition){plus, minus, c->down, c->up};
  return ATTCERT_OK;
}

/* (>= a b), or (<= b a): a - b >= 0. */
static attcert_status compare(reader *r, int operation, bool inputs) {
  const vnnlib_question *const q = r->q;
  int a = next_of(r, operation), b = next_of(r, a);
  if (b < 0 || next_of(r, b) >= 0) return refuse(r, operation, "expected two terms to compare");
  if (vnnlib_terms_is(&r->terms, operation, "<=")) {
    const int other = a;
    a = b;
    b = other;
  }
  vnnlib_bound c = {0};
  const int x_a = variable(r, a, 'X'), x_b = variable(r, b, 'X'), y_a = variable(r, a, 'Y'), y_b = variable(r, b, 'Y');
  if (inputs && x_a >= 0 && x_a < q->inputs && number(&c, r, b)) {
    bound_input(r->q, x_a, true, &c);
    return ATTCERT_OK;
  }
  if (inputs && x_b >= 0 && x_b < q->inputs && number(&c, r, a)) {
    bound_input(r->q, x_b, false, &c);
    return ATTCERT_OK;
  }
  const bool a_known = y_a >= 0 && y_a < q->outputs, b_known = y_b >= 0 && y_b < q->outputs;
  if (a_known && b_known) return add_condition(r, y_a, y_b, &c);
  if (a_known && number(&c, r, b)) return add_condition(r, y_a, -1, &c);
  if (b_known && number(&c, r, a)) { /* a - Y_b >= 0: -Y_b >= -a */
    const vnnlib_bound negated = {-c.up, -c.down};
    return add_condition(r, -1, y_b, &negated);
  }
  return refuse(r, operation,
                inputs ? "expected an input or an output beside a number, or two outputs" : "expected outputs alone");
}

static bool is_comparison(const reader *r, int t) {
  return vnnlib_terms_is(&r->terms, t, ">=") || vnnlib_terms_is(&r->terms, t, "<=");
}

/* (>= ..), or (and (>= ..) ..). */
static attcert_status conjunction(reader *r, int t, bool inputs) {
  const int head = first_of(r, t);
  if (is_comparison(r, head)) return compare(r, head, inputs);
  if (!vnnlib_terms_is(&r->terms, head, "and")) return refuse(r, t, "expected >=, <=, and, or");
  attcert_status status = ATTCERT_OK;
  for (int k = next_of(r, head); k >= 0 && status == ATTCERT_OK; k = next_of(r, k)) {
    if (!is_comparison(r, first_of(r, k))) return refuse(r, k, "expected >= or <= within and");
    status = compare(r, first_of(r, k), inputs);
  }
  return status;
}

/* ---- assertions -------------------------------------------------------------------------------------------------- */

static attcert_status end_case(reader *r) {
  vnnlib_question *const q = r->q;
  const attcert_status status =
      growing_array_room(&q->first, &q->case_capacity, (size_t)q->cases + 1, sizeof *q->first, r->err, "cases");
  if (status == ATTCERT_OK) q->first[++q->cases] = q->conditions;
  return status;
}

static attcert_status disjunction(reader *r, int head) {
  if (r->disjunction || r->q->conditions > 0)
    return refuse(r, head, "expected one disjunction, and no other condition of outputs beside it");
  r->disjunction = true;
  attcert_status status = ATTCERT_OK;
  for (int k = next_of(r, head); k >= 0 && status == ATTCERT_OK; k = next_of(r, k)) {
    const int before = r->q->conditions;
    status = conjunction(r, k, false);
    if (status == ATTCERT_OK && r->q->conditions == before) return refuse(r, k, "expected a condition");
    if (status == ATTCERT_OK) status = end_case(r);
  }
  return status;
}

static attcert_status assertion(reader *r, int t) {
  const int what = next_of(r, t), head = first_of(r, what), conditions = r->q->conditions;
  if (what < 0 || next_of(r, what) >= 0) return refuse(r, t, "expected one term to assert");
  if (vnnlib_terms_is(&r->terms, head, "or")) return disjunction(r, head);
  const attcert_status status = conjunction(r, what, true);
  if (status == ATTCERT_OK && r->disjunction && r->q->conditions > conditions)
    return refuse(r, t, "expected one disjunction, and no other condition of outputs beside it");
  return status;
}

static attcert_status command(reader *r, int t) {
  const int head = first_of(r, t);
  if (vnnlib_terms_is(&r->terms, head, "declare-const")) {
    return r->q->least == NULL ? declare(r, head) : refuse(r, head, "expected all declarations before assertions");
  }
  if (!vnnlib_terms_is(&r->terms, head, "assert"))
    return refuse(r, head >= 0 ? head : t, "expected declare-const or assert");
  if (r->q->least == NULL && r->q->inputs > 0 && r->q->outputs > 0) {
    const attcert_status status = make_bounds(r);
    if (status != ATTCERT_OK) return status;
  }
  return r->q->least != NULL ? assertion(r, head) : refuse(r, head, "expected declarations of X_0 and Y_0 before it");
}

static attcert_status check(reader *r) {
  const vnnlib_question *const q = r->q;
  if (q->least == NULL || q->conditions == 0)
    return attcert_fail(r->err, ATTCERT_INPUT, "no condition of outputs, expected one");
  for (int k = 0; k < q->inputs; k++) {
    if (!isfinite(q->least[k].down) || !isfinite(q->most[k].up))
      return attcert_fail(r->err, ATTCERT_INPUT, "X_%d: expected a lower and an upper bound", k);
    if (q->least[k].down > q->most[k].up)
      return attcert_fail(r->err, ATTCERT_INPUT, "X_%d: its lower bound is above the upper one", k);
  }
  return ATTCERT_OK;
}

static attcert_status read_terms(reader *r) {
  attcert_status status =
      growing_array_room(&r->q->first, &r->q->case_capacity, 0, sizeof *r->q->first, r->err, "cases");
  if (status != ATTCERT_OK) return status;
  r->q->first[0] = 0;
  for (int t = first_of(r, 0); t >= 0 && status == ATTCERT_OK; t = next_of(r, t)) status = command(r, t);
  if (status == ATTCERT_OK) status = check(r);
  return status == ATTCERT_OK && !r->disjunction ? end_case(r) : status;
}

attcert_status vnnlib_question_parse(vnnlib_question *question, const char *text, size_t size, attcert_error *err) {
  *question = (vnnlib_question){0};
  reader r = {.q = question, .err = err};
  attcert_status status = vnnlib_terms_parse(&r.terms, text, size, err);
  if (status == ATTCERT_OK) status = read_terms(&r);
  vnnlib_terms_clear(&r.terms);
  return status;
}

attcert_status vnnlib_question_read(vnnlib_question *question, const char *path, attcert_error *err) {
  mapped_file file;
  *question = (vnnlib_question){0};
  attcert_status status = mapped_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = vnnlib_question_parse(question, (const char *)file.data, file.size, err);
  if (status == ATTCERT_INPUT) {
    const attcert_error inner = *err;
    attcert_fail(err, status, "%s: %s", path, inner.message);
    status = file_kind_explain(status, file.data, file.size, path, "a VNN-LIB file", err);
  }
  if (status == ATTCERT_OK) status = mapped_file_check(&file, path, err);
  mapped_file_close(&file);
  return status;
}

void vnnlib_question_clear(vnnlib_question *question) {
  free(question->least);
  free(question->most);
  free(question->condition);
  free(question->first);
  *question = (vnnlib_question){0};
}
