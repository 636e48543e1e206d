#include "vnnlib/vnnlib_question.h"

#include "base/arrays.h"
#include "base/growing_array.h"
#include "model/format/file_kind.h"
#include "model/format/mapped_file.h"
#include "vnnlib/vnnlib_names.h"
#include "vnnlib/vnnlib_terms.h"
#include "vnnlib/vnnlib_unpack.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  vnnlib_question *q;
  vnnlib_terms terms;
  vnnlib_names names;
  attcert_error *err;
  bool disjunction; /* there has been one of outputs */
  int of;           /* whose bounds of inputs are read: a case (vnnlib_side); NO_CASE: of all */
} reader;

enum { NO_CASE = INT_MAX };

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

/* X_i >= bound, or <=: of all inputs at once, of a case it is kept. */
static attcert_status bound_input(reader *r, int i, bool below, const vnnlib_bound *bound) {
  vnnlib_question *const q = r->q;
  const vnnlib_side side = {r->of, i, below, *bound};
  if (r->of == NO_CASE) {
    vnnlib_side_apply(q->least, q->most, &side);
    return ATTCERT_OK;
  }
  const attcert_status status =
      growing_array_room(&q->side, &q->side_capacity, (size_t)q->sides, sizeof *q->side, r->err, "bounds of cases");
  if (status == ATTCERT_OK) q->side[q->sides++] = side;
  return status;
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
static attcert_status compare(reader *r, int operation) {
  const vnnlib_question *const q = r->q;
  const vnnlib_names *const names = &r->names;
  int a = next_of(r, operation), b = next_of(r, a);
  if (b < 0 || next_of(r, b) >= 0) return refuse(r, operation, "expected two terms to compare");
  if (vnnlib_terms_is(&r->terms, operation, "<=")) {
    const int other = a;
    a = b;
    b = other;
  }
  vnnlib_bound c = {0};
  const int x_a = vnnlib_names_find(names, &r->terms, a, VNNLIB_INPUT),
            y_a = vnnlib_names_find(names, &r->terms, a, VNNLIB_OUTPUT);
  const int x_b = vnnlib_names_find(names, &r->terms, b, VNNLIB_INPUT),
            y_b = vnnlib_names_find(names, &r->terms, b, VNNLIB_OUTPUT);
  if (x_a >= 0 && x_a < q->inputs && vnnlib_number(&c, &r->terms, b)) return bound_input(r, x_a, true, &c);
  if (x_b >= 0 && x_b < q->inputs && vnnlib_number(&c, &r->terms, a)) return bound_input(r, x_b, false, &c);
  const bool a_known = y_a >= 0 && y_a < q->outputs, b_known = y_b >= 0 && y_b < q->outputs;
  if (a_known && b_known) return add_condition(r, y_a, y_b, &c);
  if (a_known && vnnlib_number(&c, &r->terms, b)) return add_condition(r, y_a, -1, &c);
  if (b_known && vnnlib_number(&c, &r->terms, a)) { /* a - Y_b >= 0: -Y_b >= -a */
    const vnnlib_bound negated = {-c.up, -c.down};
    return add_condition(r, -1, y_b, &negated);
  }
  return refuse(r, operation, "expected an input or an output beside a number, or two outputs");
}

static bool is_comparison(const reader *r, int t) {
  return vnnlib_terms_is(&r->terms, t, ">=") || vnnlib_terms_is(&r->terms, t, "<=");
}

/* (>= ..), or (and (>= ..) ..). */
static attcert_status conjunction(reader *r, int t) {
  const int head = first_of(r, t);
  if (is_comparison(r, head)) return compare(r, head);
  if (!vnnlib_terms_is(&r->terms, head, "and")) return refuse(r, t, "expected >=, <=, and, or");
  attcert_status status = ATTCERT_OK;
  for (int k = next_of(r, head); k >= 0 && status == ATTCERT_OK; k = next_of(r, k)) {
    if (!is_comparison(r, first_of(r, k))) return refuse(r, k, "expected >= or <= within and");
    status = compare(r, first_of(r, k));
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

static const char one_disjunction[] = "expected one disjunction, and no other condition of outputs beside it";

/* Of outputs with their own bounds of inputs, or not: each a case. Of inputs alone: each a box, to which all cases
 * apply. */
static attcert_status disjunction(reader *r, int head) {
  vnnlib_question *const q = r->q;
  const int conditions = q->conditions;
  attcert_status status = ATTCERT_OK;
  int boxes = 0, cases = 0;
  for (int k = next_of(r, head); k >= 0 && status == ATTCERT_OK; k = next_of(r, k)) {
    const int before = q->conditions, sides = q->sides;
    r->of = q->cases;
    status = conjunction(r, k);
    r->of = NO_CASE;
    if (status != ATTCERT_OK) return status;
    if (q->conditions == before && q->sides == sides) return refuse(r, k, "expected a condition");
    const bool box = q->conditions == before;
    if (boxes + cases > 0 && box != (boxes > 0)) return refuse(r, k, "expected outputs in each case, or in none");
    for (int s = sides; s < q->sides && box; s++) q->side[s].of = -1 - boxes;
    if (box)
      boxes++;
    else if (r->disjunction || conditions > 0)
      return refuse(r, head, one_disjunction);
    else
      status = end_case(r);
    cases += !box;
  }
  if (status != ATTCERT_OK) return status;
  if (boxes > 0 && q->boxes > 0) return refuse(r, head, "expected one disjunction of inputs");
  q->boxes += boxes;
  r->disjunction = r->disjunction || boxes == 0;
  return ATTCERT_OK;
}

static attcert_status assertion(reader *r, int t) {
  const int what = next_of(r, t), head = first_of(r, what), conditions = r->q->conditions;
  if (what < 0 || next_of(r, what) >= 0) return refuse(r, t, "expected one term to assert");
  if (vnnlib_terms_is(&r->terms, head, "or")) return disjunction(r, head);
  const attcert_status status = conjunction(r, what);
  if (status == ATTCERT_OK && r->disjunction && r->q->conditions > conditions) return refuse(r, t, one_disjunction);
  return status;
}

/* Of a name, or of a whole network. */
static attcert_status declare(reader *r, int head) {
  attcert_error inner;
  if (r->q->least != NULL) return refuse(r, head, "expected all declarations before assertions");
  const attcert_status status = vnnlib_names_declare(&r->names, &r->terms, head, &inner);
  if (status != ATTCERT_OK) return refuse(r, head, inner.message);
  r->q->inputs = r->names.tensor[VNNLIB_INPUT].count;
  r->q->outputs = r->names.tensor[VNNLIB_OUTPUT].count;
  return ATTCERT_OK;
}

static attcert_status command(reader *r, int t) {
  const int head = first_of(r, t);
  if (vnnlib_terms_is(&r->terms, head, "vnnlib-version"))
    return vnnlib_terms_is(&r->terms, next_of(r, head), "<2.0>") ? ATTCERT_OK : refuse(r, head, "expected <2.0>");
  if (vnnlib_terms_is(&r->terms, head, "declare-const") || vnnlib_terms_is(&r->terms, head, "declare-network"))
    return declare(r, head);
  if (!vnnlib_terms_is(&r->terms, head, "assert"))
    return refuse(r, head >= 0 ? head : t, "expected declare-const, declare-network or assert");
  if (r->q->least == NULL && r->q->inputs > 0 && r->q->outputs > 0) {
    const attcert_status status = make_bounds(r);
    if (status != ATTCERT_OK) return status;
  }
  return r->q->least != NULL ? assertion(r, head)
                             : refuse(r, head, "expected declarations of inputs and outputs before it");
}

/* Bounds of cases are looked at where they are used (vnnlib_cases.h). */
static attcert_status check(reader *r) {
  const vnnlib_question *const q = r->q;
  if (q->least == NULL || q->conditions == 0)
    return attcert_fail(r->err, ATTCERT_INPUT, "no condition of outputs, expected one");
  return q->sides > 0 ? ATTCERT_OK : vnnlib_bounds_check(q->least, q->most, q->inputs, r->err);
}

void vnnlib_side_apply(vnnlib_bound *least, vnnlib_bound *most, const vnnlib_side *side) {
  vnnlib_bound *const old = side->below ? &least[side->input] : &most[side->input];
  const vnnlib_bound with = side->bound;
  if (side->below)
    *old = (vnnlib_bound){fmax(old->down, with.down), fmax(old->up, with.up)};
  else
    *old = (vnnlib_bound){fmin(old->down, with.down), fmin(old->up, with.up)};
}

attcert_status vnnlib_bounds_check(const vnnlib_bound *least, const vnnlib_bound *most, int inputs,
                                   attcert_error *err) {
  for (int k = 0; k < inputs; k++) {
    if (!isfinite(least[k].down) || !isfinite(most[k].up))
      return attcert_fail(err, ATTCERT_INPUT, "X_%d: expected a lower and an upper bound", k);
    if (least[k].down > most[k].up)
      return attcert_fail(err, ATTCERT_INPUT, "X_%d: its lower bound is above the upper one", k);
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
  reader r = {.q = question, .err = err, .of = NO_CASE};
  attcert_status status = vnnlib_terms_parse(&r.terms, text, size, err);
  if (status == ATTCERT_OK) status = read_terms(&r);
  vnnlib_terms_clear(&r.terms);
  return status;
}

/* Packed or not. */
static attcert_status parse_bytes(vnnlib_question *question, const mapped_file *file, attcert_error *err) {
  char *text;
  size_t length;
  if (!vnnlib_is_packed(file->data, file->size))
    return vnnlib_question_parse(question, (const char *)file->data, file->size, err);
  attcert_status status = vnnlib_unpack(&text, &length, file->data, file->size, err);
  if (status == ATTCERT_OK) status = vnnlib_question_parse(question, text, length, err);
  free(text);
  return status;
}

attcert_status vnnlib_question_read(vnnlib_question *question, const char *path, attcert_error *err) {
  mapped_file file;
  *question = (vnnlib_question){0};
  attcert_status status = mapped_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = parse_bytes(question, &file, err);
  if (status == ATTCERT_INPUT) {
    const attcert_error inner = *err;
    attcert_fail(err, status, "%s: %s", path, inner.message);
    if (!vnnlib_is_packed(file.data, file.size))
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
  free(question->side);
  *question = (vnnlib_question){0};
}
