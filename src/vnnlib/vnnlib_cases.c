#include "vnnlib/vnnlib_cases.h"

#include "base/arrays.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *network;
  const vnnlib_question *question;
  const vnnlib_options *options;
  vnnlib_bound *least, *most; /* [inputs] */
  int first[2];               /* of the one case */
} part;

/* The bounds of all inputs, of box b (-1: none) and of case k (-1: all cases). */
static void take_bounds(part *p, int b, int k) {
  const vnnlib_question *const q = p->question;
  memcpy(p->least, q->least, (size_t)q->inputs * sizeof *p->least);
  memcpy(p->most, q->most, (size_t)q->inputs * sizeof *p->most);
  for (int s = 0; s < q->sides; s++) {
    const int of = q->side[s].of;
    if (of == k || (of < 0 && -1 - of == b)) vnnlib_side_apply(p->least, p->most, &q->side[s]);
  }
}

/* No input is between such bounds, whatever their roundings. */
static bool is_empty(const part *p) {
  for (int i = 0; i < p->question->inputs; i++) {
    if (p->least[i].down > p->most[i].up) return true;
  }
  return false;
}

/* The part's answer; one that no input fulfils is unsat. */
static attcert_status answer_part(vnnlib_answer *answer, part *p, int b, int k, attcert_error *err) {
  vnnlib_question q = *p->question;
  take_bounds(p, b, k < 0 ? p->question->cases : k);
  *answer = (vnnlib_answer){.verdict = VNNLIB_UNSAT, .margin = INFINITY};
  if (is_empty(p)) return ATTCERT_OK;
  q.least = p->least;
  q.most = p->most;
  if (k >= 0) {
    p->first[0] = 0;
    p->first[1] = q.first[k + 1] - q.first[k];
    q.condition += q.first[k];
    q.conditions = p->first[1];
    q.first = p->first;
    q.cases = 1;
  }
  const attcert_status status = vnnlib_bounds_check(q.least, q.most, q.inputs, err);
  return status == ATTCERT_OK ? vnnlib_answer_find(answer, p->network, &q, p->options, err) : status;
}

static bool cases_have_bounds(const vnnlib_question *q) {
  for (int s = 0; s < q->sides; s++) {
    if (q->side[s].of >= 0) return true;
  }
  return false;
}

/* The part's answer joins those before. */
static void join_answer(vnnlib_answer *all, vnnlib_answer *one) {
  if (one->verdict == VNNLIB_SAT) {
    vnnlib_answer_clear(all);
    *all = *one;
    return;
  }
  if (one->verdict == VNNLIB_UNKNOWN) all->verdict = VNNLIB_UNKNOWN;
  all->margin = fmin(all->margin, one->margin);
  vnnlib_answer_clear(one);
}

static attcert_status answer_parts(vnnlib_answer *answer, part *p, attcert_error *err) {
  const vnnlib_question *const q = p->question;
  const bool apart = cases_have_bounds(q);
  const int boxes = q->boxes > 0 ? q->boxes : 1, cases = apart ? q->cases : 1;
  attcert_status status = ATTCERT_OK;
  *answer = (vnnlib_answer){.verdict = VNNLIB_UNSAT, .margin = INFINITY};
  for (int i = 0; i < boxes * cases && status == ATTCERT_OK && answer->verdict != VNNLIB_SAT; i++) {
    vnnlib_answer one;
    status = answer_part(&one, p, q->boxes > 0 ? i / cases : -1, apart ? i % cases : -1, err);
    if (status == ATTCERT_OK)
      join_answer(answer, &one);
    else
      vnnlib_answer_clear(&one);
  }
  return status;
}

attcert_status vnnlib_cases_answer(vnnlib_answer *answer, const char *network, const vnnlib_question *question,
                                   const vnnlib_options *options, attcert_error *err) {
  if (question->sides == 0) return vnnlib_answer_find(answer, network, question, options, err);
  part p = {.network = network, .question = question, .options = options};
  const size_t inputs = (size_t)question->inputs;
  const array_table table = {{ARRAY(p.least, inputs), ARRAY(p.most, inputs)}};
  *answer = (vnnlib_answer){.margin = -INFINITY};
  attcert_status status = array_table_allocate(&table, err, "the bounds of %zu inputs", inputs);
  if (status == ATTCERT_OK) status = answer_parts(answer, &p, err);
  array_table_release(&table);
  return status;
}
