#include "base/memory.h"
#include "report/number_text.h"
#include "report/report_words.h"
#include "report/robust/robust_answer.h"
#include "report/subject_input.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_SHARES = 4096, RADIUS_DIGITS = 6 };

static void put_words(FILE *out, const robust_report *r) {
  const ball_region *const region = &r->ball->region;
  const int tokens = r->network->steps.tokens;
  if (report_words_all(region, tokens)) {
    fputs("all words", out);
    return;
  }
  fputs(ball_region_count(region, tokens) > 1 ? "words " : "word ", out);
  report_words_text(out, region, tokens, &r->subject->input_tokens);
}

static void put_subject(FILE *out, const robust_report *r) {
  const report_subject *const s = r->subject;
  fprintf(out, "network    %s", s->name);
  if (s->random) fprintf(out, ", seed %" PRIu64, s->seed);
  fprintf(out, "\nshape      n = %d tokens, d = %d, %d classes, %d operations\n", r->network->steps.tokens,
          r->network->steps.dim, r->network->labels, r->network->steps.count);
  subject_print_input(out, s);
  for (int i = 0; i < s->file_count; i++) fprintf(out, "sha256     %s  %s\n", s->files[i].sha256, s->files[i].path);
}

static void put_range(FILE *out, const char *name, const char *of, range x) {
  char lo[NUMBER_TEXT_SIZE], hi[NUMBER_TEXT_SIZE];
  fprintf(out, "%-10s %s <= %s <= %s\n", name, number_text_double(lo, x.lo, NUMBER_TEXT_DIGITS, MPFR_RNDD), of,
          number_text_double(hi, x.hi, NUMBER_TEXT_DIGITS, MPFR_RNDU));
}

static void put_center(FILE *out, const robust_report *r) {
  const robust_gradient *const center = &r->verdict->center;
  put_subject(out, r);
  robust_answer_text(out, r);
  put_range(out, "margin", "margin(X)", center->margin);
  put_range(out, "gradient", ball_region_kind(&r->ball->region)->dual, center->norm);
}

static void put_claim(FILE *out, const robust_report *r) {
  fprintf(out, "\nclaim      %s\n           %s;\n           %s %s.\n", ROBUST_CLAIM_NUMBERS,
          robust_report_claim_function(r), ROBUST_CLAIM_BALL, ball_region_kind(&r->ball->region)->difference);
}

static void put_sentences(FILE *out, const char *key, const char *const *sentence) {
  for (; *sentence != NULL; sentence++, key = "") fprintf(out, "%-10s %s\n", key, *sentence);
}

static void put_execution(FILE *out, const robust_report *r) {
  char text[NUMBER_TEXT_SIZE];
  const double error = robust_report_execution_error(r);
  if (r->ball->format == NULL) return;
  if (isfinite(error))
    fprintf(out, "execution  %s: margin(X) within %s of the exact one, functions within %g ulp\n",
            r->ball->format->name, number_text_double(text, error, RADIUS_DIGITS, MPFR_RNDU), r->ball->format->ulp);
  else
    fprintf(out, "execution  %s: margin(X) has no finite bound\n", r->ball->format->name);
  put_sentences(out, "covered", robust_report_covered);
  put_sentences(out, "excluded", robust_report_excluded);
}

static void put_radii(FILE *out, const robust_report *r) {
  const robust_verdict *const v = r->verdict;
  char text[NUMBER_TEXT_SIZE], first[NUMBER_TEXT_SIZE];
  if (r->incomplete != NULL) fprintf(out, "INCOMPLETE %s: this is what was found until then\n", r->incomplete);
  if (v->certified > 0.0) {
    fprintf(out, "certified  %s: no input within this distance changes the answer (",
            number_text_double(text, v->certified, RADIUS_DIGITS, MPFR_RNDD));
    put_words(out, r);
    fputs(")\n", out);
    put_range(out, "on ball", "margin", v->bound.margin);
  }
  if (isfinite(v->refuted)) {
    fprintf(out, "refuted    %s: an input within this distance changes it, its margin at most %s",
            number_text_double(text, v->refuted, RADIUS_DIGITS, MPFR_RNDU),
            number_text_double(first, v->counterexample_margin.hi, RADIUS_DIGITS, MPFR_RNDU));
    robust_answer_refuted_text(out, r);
    fputc('\n', out);
  }
  if (v->certified == 0.0 && !isfinite(v->refuted)) fputs("undecided  neither proved nor refuted\n", out);
  if (isfinite(v->first_order))
    fprintf(
        out,
        "limit      %s: margin / ||gradient||, the distance to another answer as estimated to first order, no bound\n",
        number_text_double(text, v->first_order, RADIUS_DIGITS, MPFR_RNDN));
  if (v->bound.loss != NULL && v->bound.ended >= 0) {
    const step *const s = &r->network->steps.step[v->bound.ended];
    fprintf(out, "ended      %s of layer %d has no finite bound at %s\n", s->kind->name, s->layer,
            number_text_double(text, v->failed, RADIUS_DIGITS, MPFR_RNDN));
  }
}

static void put_loss(FILE *out, const robust_report *r) {
  robust_share share[MOST_SHARES];
  const int count = robust_report_shares(share, MOST_SHARES, r);
  if (count > 0) fputs("\nlost       share of what the bound takes off the margin\n", out);
  for (int i = 0; i < count; i++) {
    if (share[i].share < 5e-4) continue;
    if (share[i].layer >= 0)
      fprintf(out, "  %5.1f %%  %s, layer %d\n", 100.0 * share[i].share, share[i].operation, share[i].layer);
    else
      fprintf(out, "  %5.1f %%  %s\n", 100.0 * share[i].share, share[i].operation);
  }
}

static void put_plan(FILE *out, const robust_report *r) {
  const robust_plan *const plan = &r->verdict->bound.plan;
  char text[NUMBER_TEXT_SIZE];
  if (plan->symbols == 0) return;
  fprintf(out, "plan       %" PRIu64 " symbols, %s of forms at most", plan->symbols,
          number_text_bytes(text, plan->bytes));
  if (plan->merged > 0) fprintf(out, ", %" PRIu64 " columns of symbols merged", plan->merged);
  fputc('\n', out);
}

static void put_time(FILE *out, const robust_report *r) {
  char text[NUMBER_TEXT_SIZE];
  fprintf(out, "time       %.2f s", r->seconds);
  if (r->verdict->evaluations > 0) fprintf(out, " (%d evaluations)", r->verdict->evaluations);
  fprintf(out, ", peak memory %s\n", number_text_bytes(text, memory_peak()));
}

void robust_report_text(FILE *out, const robust_report *r) {
  put_center(out, r);
  put_execution(out, r);
  put_radii(out, r);
  put_plan(out, r);
  put_time(out, r);
  put_loss(out, r);
  put_claim(out, r);
}

void robust_report_gradient_text(FILE *out, const robust_report *r) {
  put_center(out, r);
  put_time(out, r);
  fputs("\nclaim      " ROBUST_CLAIM_NUMBERS
        "\n           the margin and its gradient are those of the network in exact "
        "arithmetic.\n",
        out);
}
