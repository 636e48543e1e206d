#include "report/robust/prediction_report.h"

#include "base/arrays.h"
#include "report/claim.h"
#include "report/number_text.h"
#include "report/robust/robust_parts.h"

#include <math.h>

enum { MARGIN_DIGITS = 6 };

int *prediction_words(int *count, const robust_prediction *prediction, attcert_error *err) {
  const size_t words = (size_t)prediction->rows * ((size_t)prediction->top + 1);
  int *const label = array_new(words, sizeof *label, err, "%zu labels", words);
  *count = 0;
  for (int i = 0; label != NULL && i < prediction->rows; i++) {
    for (int k = 0; k < prediction->top; k++)
      label[(*count)++] = prediction->score[(size_t)i * (size_t)prediction->top + (size_t)k].label;
    label[(*count)++] = prediction->row[i].rival;
  }
  return label;
}

/* ---- a row ------------------------------------------------------------------------------------------------------- */

typedef struct {
  const prediction_facts *of;
  int number;
  const robust_row *row;
  const robust_score *score; /* [top] */
} told_row;

static told_row row_of(const prediction_facts *p, int i) {
  return (told_row){p, i, &p->prediction->row[i], p->prediction->score + (size_t)i * (size_t)p->prediction->top};
}

/* Of score k, k = top: of the rival. */
static const char *name_of(const told_row *r, int k) {
  const int top = r->of->prediction->top;
  const token_list *const words = r->of->words;
  if (words->count > 0) return words->token[r->number * (top + 1) + k].text;
  return label_names_at(&r->of->head->names, k < top ? r->score[k].label : r->row->rival);
}

static const char *rival_name(const told_row *r) {
  return name_of(r, r->of->prediction->top);
}

static bool each_sign(const told_row *r) {
  return r->of->network->each_sign;
}

/* '+', '-', '?': open. */
static char sign_of(range score) {
  return score.lo > 0.0 ? '+' : score.hi < 0.0 ? '-' : '?';
}

static const char *margin_text(char text[NUMBER_TEXT_SIZE], const robust_row *row) {
  return number_text_double(text, row->margin.lo, MARGIN_DIGITS, MPFR_RNDD);
}

/* ---- as JSON ----------------------------------------------------------------------------------------------------- */

static void put_score_json(json_writer *w, const told_row *r, int k) {
  const range score = r->score[k].score;
  json_write_object(w, NULL);
  robust_parts_label_json(w, "label", "label_name", r->score[k].label, name_of(r, k));
  robust_parts_range_json(w, "score", score);
  if (each_sign(r) && sign_of(score) == '?') json_write_null(w, "positive");
  if (each_sign(r) && sign_of(score) != '?') json_write_bool(w, "positive", sign_of(score) == '+');
  json_write_close(w);
}

static void put_row_json(json_writer *w, const told_row *r) {
  const int token = r->of->network->token;
  json_write_object(w, NULL);
  json_write_index(w, "token", token == ROBUST_EVERY_TOKEN ? r->number : token);
  json_write_bool(w, "decided", robust_row_decided(r->row));
  robust_parts_label_json(w, "label", "label_name", r->row->label, each_sign(r) ? NULL : name_of(r, 0));
  robust_parts_label_json(w, "rival", "rival_name", r->row->rival, rival_name(r));
  robust_parts_range_json(w, "margin", r->row->margin);
  json_write_array(w, "scores");
  for (int k = 0; k < r->of->prediction->top; k++) put_score_json(w, r, k);
  json_write_close(w);
  json_write_close(w);
}

static void put_json(json_writer *w, const prediction_facts *p) {
  json_write_bool(w, "decided", robust_prediction_decided(p->prediction));
  json_write_array(w, "answers");
  for (int i = 0; i < p->prediction->rows; i++) {
    const told_row r = row_of(p, i);
    put_row_json(w, &r);
  }
  json_write_close(w);
  json_write_integer(w, "precision_bits", (uint64_t)p->prediction->bits);
}

/* ---- as text ----------------------------------------------------------------------------------------------------- */

static void put_signs(const fact_writer *f, const told_row *r) {
  char text[NUMBER_TEXT_SIZE];
  for (int k = 0; k < r->of->prediction->top; k++) {
    const char lead[] = {sign_of(r->score[k].score), ' ', '\0'};
    fact_text(f, k == 0 ? "signs      " : ", ");
    robust_parts_label(f, lead, r->score[k].label, name_of(r, k));
  }
  robust_parts_label(f, "; that of ", r->row->rival, rival_name(r));
  if (robust_row_decided(r->row))
    fact_text(f, " is the closest to changing\ncertified  each score has this sign: it is at least %s away from 0\n",
              margin_text(text, r->row));
  else
    fact_text(f, " may be either\nundecided  not every sign can be told\n");
}

static void put_label(const fact_writer *f, const told_row *r) {
  char text[NUMBER_TEXT_SIZE];
  robust_parts_label(f, "label      ", r->row->label, name_of(r, 0));
  robust_parts_label(f, ", class ", r->row->rival, rival_name(r));
  if (robust_row_decided(r->row))
    fact_text(f, " is the closest\ncertified  its score exceeds every other by at least %s\n",
              margin_text(text, r->row));
  else
    fact_text(f, " may have a larger score\nundecided  the enclosures of their scores overlap\n");
}

static void put_scores(const fact_writer *f, const told_row *r) {
  char lo[NUMBER_TEXT_SIZE], hi[NUMBER_TEXT_SIZE];
  fact_text(f, "\nscores\n");
  for (int k = 0; k < r->of->prediction->top; k++) {
    const range score = r->score[k].score;
    fact_text(f, "  %s <= score <= %s", number_text_double(lo, score.lo, NUMBER_TEXT_DIGITS, MPFR_RNDD),
              number_text_double(hi, score.hi, NUMBER_TEXT_DIGITS, MPFR_RNDU));
    robust_parts_label(f, "  ", r->score[k].label, name_of(r, k));
    fact_text(f, "\n");
  }
}

/* A line of the answers at each token. */
static void put_line(const fact_writer *f, const told_row *r) {
  const token_list *const tokens = &r->of->subject->input_tokens;
  const char *const token = tokens->count > 0 ? tokens->token[r->number].text : NULL;
  char text[NUMBER_TEXT_SIZE];
  robust_parts_label(f, "  token ", r->number, token);
  robust_parts_label(f, ": ", r->row->label, name_of(r, 0));
  if (robust_row_decided(r->row)) {
    fact_text(f, ", by at least %s\n", margin_text(text, r->row));
  } else {
    robust_parts_label(f, " undecided, or ", r->row->rival, rival_name(r));
    fact_text(f, "\n");
  }
}

static void put_lines(const fact_writer *f, const prediction_facts *p) {
  const robust_prediction *const of = p->prediction;
  char text[NUMBER_TEXT_SIZE];
  int decided = 0, least = 0;
  for (int i = 0; i < of->rows; i++) {
    decided += robust_row_decided(&of->row[i]);
    if (of->row[i].margin.lo < of->row[least].margin.lo) least = i;
  }
  if (decided == of->rows)
    fact_text(f, "certified  each of %d answers: its score exceeds every other by at least %s (token %d)\n", of->rows,
              margin_text(text, &of->row[least]), least);
  else
    fact_text(f, "undecided  %d of %d answers: enclosures of scores overlap\n", of->rows - decided, of->rows);
  fact_text(f, "\nanswers\n");
  for (int i = 0; i < of->rows; i++) {
    const told_row r = row_of(p, i);
    put_line(f, &r);
  }
}

static void put_text(fact_writer *f, const prediction_facts *p) {
  const told_row r = row_of(p, 0);
  if (p->network->token == ROBUST_EVERY_TOKEN) {
    put_lines(f, p);
    return;
  }
  if (each_sign(&r))
    put_signs(f, &r);
  else
    put_label(f, &r);
  put_scores(f, &r);
}

void prediction_report_write(FILE *out, bool json, const void *told) {
  const prediction_facts *const p = told;
  char text[MODEL_HEAD_TEXT_SIZE];
  fact_writer f;
  fact_writer_begin(&f, out, json, "predict");
  robust_parts_subject(&f, p->subject, p->network);
  json_write_string(&f.json, "head", model_head_text(text, p->head, p->network->token));
  fact_text(&f, "head       %s\n", text);
  put_json(&f.json, p);
  fact_text(&f, "precision  %d bits at the input\n", p->prediction->bits);
  robust_parts_cost(&f, p->seconds, 0);
  put_text(&f, p);
  json_write_string(&f.json, "claim", REPORT_CLAIM_NUMBERS " " REPORT_CLAIM_FUNCTION);
  fact_text(&f, "\nclaim      " REPORT_CLAIM_NUMBERS "\n           " REPORT_CLAIM_FUNCTION ".\n");
  fact_writer_end(&f);
}
