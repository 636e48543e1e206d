#include "base/memory.h"
#include "report/json_writer.h"
#include "report/report_words.h"
#include "report/robust/robust_answer.h"
#include "report/subject_input.h"
#include "report/subject_json.h"

#include <math.h>

enum { MOST_SHARES = 4096 };

static void put_range(json_writer *w, const char *key, range x) {
  json_write_array(w, key);
  json_write_double(w, NULL, x.lo, MPFR_RNDD);
  json_write_double(w, NULL, x.hi, MPFR_RNDU);
  json_write_close(w);
}

static void put_subject(json_writer *w, const robust_report *r) {
  const report_subject *const s = r->subject;
  json_write_object(w, "network");
  json_write_integer(w, "n", (uint64_t)r->network->steps.tokens);
  json_write_integer(w, "d", (uint64_t)r->network->steps.dim);
  json_write_integer(w, "classes", (uint64_t)r->network->labels);
  json_write_integer(w, "operations", (uint64_t)r->network->steps.count);
  json_write_close(w);
  json_write_object(w, "source");
  json_write_string(w, "model", s->name);
  if (s->random) json_write_integer(w, "seed", s->seed);
  subject_write_input(w, s);
  json_write_close(w);
  subject_write_files(w, s);
  subject_write_tokens(w, s);
}

static void put_center(json_writer *w, const robust_report *r) {
  const robust_gradient *const center = &r->verdict->center;
  robust_answer_json(w, r);
  put_range(w, "margin", center->margin);
  put_range(w, "gradient_norm", center->norm);
  report_words_json(w, &r->ball->region, r->network->steps.tokens);
}

/* A radius that is not there is null. */
static void put_radius(json_writer *w, const char *key, double radius, bool there, mpfr_rnd_t rounding) {
  if (there)
    json_write_double(w, key, radius, rounding);
  else
    json_write_null(w, key);
}

static void put_loss(json_writer *w, const robust_report *r) {
  robust_share share[MOST_SHARES];
  const int count = robust_report_shares(share, MOST_SHARES, r);
  json_write_array(w, "loss");
  for (int i = 0; i < count; i++) {
    json_write_object(w, NULL);
    json_write_string(w, "operation", share[i].operation);
    if (share[i].layer >= 0)
      json_write_integer(w, "layer", (uint64_t)share[i].layer);
    else
      json_write_null(w, "layer");
    json_write_double(w, "share", share[i].share, MPFR_RNDN);
    json_write_close(w);
  }
  json_write_close(w);
}

static void put_plan(json_writer *w, const robust_report *r) {
  const robust_plan *const plan = &r->verdict->bound.plan;
  if (plan->symbols == 0) return;
  json_write_object(w, "plan");
  json_write_integer(w, "symbols", plan->symbols);
  json_write_integer(w, "bytes", plan->bytes);
  json_write_integer(w, "merged", plan->merged);
  json_write_close(w);
}

static void put_sentences(json_writer *w, const char *key, const char *const *sentence) {
  json_write_array(w, key);
  for (; *sentence != NULL; sentence++) json_write_string(w, NULL, *sentence);
  json_write_close(w);
}

/* What executing the network adds. error: of the margin at X; null: unbounded. */
static void put_execution(json_writer *w, const robust_report *r) {
  const step_format *const format = r->ball->format;
  json_write_string(w, "execution", format != NULL ? format->name : "exact");
  if (format == NULL) return;
  const double error = robust_report_execution_error(r);
  json_write_object(w, "executed");
  json_write_double(w, "ulp", format->ulp, MPFR_RNDN);
  put_radius(w, "error", error, isfinite(error), MPFR_RNDU);
  if (range_finite(r->verdict->executed)) put_range(w, "margin", r->verdict->executed);
  put_sentences(w, "covered", robust_report_covered);
  put_sentences(w, "excluded", robust_report_excluded);
  json_write_close(w);
}

static void put_end(json_writer *w, const robust_report *r) {
  char claim[512];
  json_write_double(w, "seconds", r->seconds, MPFR_RNDN);
  json_write_integer(w, "peak_memory_bytes", memory_peak());
  snprintf(claim, sizeof claim, "%s %s; %s %s", ROBUST_CLAIM_NUMBERS, robust_report_claim_function(r),
           ROBUST_CLAIM_BALL, ball_region_kind(&r->ball->region)->difference);
  json_write_string(w, "claim", claim);
  json_write_close(w);
  json_writer_end(w);
}

static void put_begin(json_writer *w, FILE *out, const char *schema, const robust_report *r) {
  json_writer_begin(w, out);
  json_write_object(w, NULL);
  json_write_string(w, "schema", schema);
  json_write_string(w, "version", ATTCERT_VERSION);
  put_subject(w, r);
  put_center(w, r);
}

void robust_report_json(FILE *out, const robust_report *r) {
  const robust_verdict *const v = r->verdict;
  json_writer w;
  put_begin(&w, out, "attcert/robust/1", r);
  put_radius(&w, "radius", r->radius, r->radius > 0.0, MPFR_RNDN);
  put_radius(&w, "radius_certified", v->certified, v->certified > 0.0, MPFR_RNDD);
  put_radius(&w, "radius_refuted", v->refuted, isfinite(v->refuted), MPFR_RNDU);
  put_radius(&w, "radius_failed", v->failed, isfinite(v->failed), MPFR_RNDU);
  put_radius(&w, "first_order_radius", v->first_order, isfinite(v->first_order), MPFR_RNDN);
  if (isfinite(v->refuted)) {
    put_range(&w, "refuted_margin", v->counterexample_margin);
    robust_answer_refuted_json(&w, r);
  }
  if (v->certified > 0.0) put_range(&w, "margin_on_ball", v->bound.margin);
  put_execution(&w, r);
  if (v->bound.loss != NULL && v->bound.ended >= 0)
    json_write_string(&w, "ended_at", r->network->steps.step[v->bound.ended].kind->name);
  put_loss(&w, r);
  put_plan(&w, r);
  json_write_integer(&w, "evaluations", (uint64_t)v->evaluations);
  json_write_bool(&w, "complete", r->incomplete == NULL);
  if (r->incomplete != NULL) json_write_string(&w, "incomplete", r->incomplete);
  put_end(&w, r);
}

void robust_report_gradient_json(FILE *out, const robust_report *r) {
  json_writer w;
  put_begin(&w, out, "attcert/gradient/1", r);
  put_end(&w, r);
}
