#include "report/robust/robust_report.h"

#include "report/claim.h"
#include "report/number_text.h"
#include "report/robust/robust_answer.h"
#include "report/robust/robust_inputs.h"
#include "report/robust/robust_moved.h"
#include "report/robust/robust_parts.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_SHARES = 4096, RADIUS_DIGITS = 6 };

#define CLAIM_FUNCTION "the answer is that of the network in exact arithmetic"
#define CLAIM_EXECUTION "the answer is that of every execution of the network in the format, of the kinds covered"

/* As people read a radius. */
static const char *radius_text(char buf[NUMBER_TEXT_SIZE], double radius, mpfr_rnd_t rounding) {
  return number_text_double(buf, radius, RADIUS_DIGITS, rounding);
}

static void put_center(fact_writer *f, const robust_facts *r) {
  robust_parts_subject(f, r->subject, r->network);
  robust_answer_write(f, r);
  robust_parts_range(f, "margin", "margin", "margin(X)", r->verdict->center.margin);
  const ball_region *const region = &r->ball->region;
  const char *const dual = region->box != NULL ? "sum half widths |grad margin|" : ball_region_kind(region)->dual;
  if (r->choices == NULL) robust_parts_range(f, "gradient_norm", "gradient", dual, r->verdict->center.norm);
  robust_inputs_write(f, r);
}

/* ---- radii: those that are not there are null -------------------------------------------------------------------- */

static void put_certified(fact_writer *f, const robust_facts *r) {
  const double certified = r->verdict->certified;
  char text[NUMBER_TEXT_SIZE];
  json_write_double(&f->json, "radius", r->radius > 0.0 ? r->radius : NAN, MPFR_RNDN);
  json_write_double(&f->json, "radius_certified", certified > 0.0 && robust_inputs_are_ball(r) ? certified : NAN,
                    MPFR_RNDD);
  if (certified == 0.0 || !robust_inputs_are_ball(r)) return;
  fact_text(f, "certified  %s: no input within this distance changes the answer (",
            radius_text(text, certified, MPFR_RNDD));
  robust_inputs_words(f, r);
  fact_text(f, ")\n");
}

static void put_margin_on_ball(fact_writer *f, const robust_facts *r) {
  if (r->verdict->certified > 0.0 ||
      (!robust_inputs_are_ball(r) && isfinite(r->verdict->bound.margin.lo) && r->verdict->bound.margin.hi != 0.0))
    robust_parts_range(f, "margin_on_ball",
                       robust_inputs_are_ball(r) ? "on ball"
                       : r->choices != NULL      ? "on words"
                                                 : "on box",
                       "margin", r->verdict->bound.margin);
}

static void put_refuted(fact_writer *f, const robust_facts *r) {
  const double refuted = r->verdict->refuted;
  char text[NUMBER_TEXT_SIZE];
  json_write_double(&f->json, "radius_refuted", robust_inputs_are_ball(r) ? refuted : INFINITY, MPFR_RNDU);
  if (isfinite(refuted) && !robust_inputs_are_ball(r))
    fact_text(f, "refuted    an input of %s changes the answer", robust_inputs_name(r));
  else if (isfinite(refuted))
    fact_text(f, "refuted    %s: an input within this distance changes it", radius_text(text, refuted, MPFR_RNDU));
  else if (r->verdict->certified == 0.0)
    fact_text(f, "undecided  neither proved nor refuted\n");
}

static void put_counterexample(fact_writer *f, const robust_facts *r) {
  const range margin = r->verdict->counterexample_margin;
  char text[NUMBER_TEXT_SIZE];
  if (!isfinite(r->verdict->refuted)) return;
  robust_parts_range_json(&f->json, "refuted_margin", margin);
  fact_text(f, ", its margin at most %s", radius_text(text, margin.hi, MPFR_RNDU));
  robust_answer_write_refuted(f, r);
  robust_moved_write(f, r);
}

static void put_limit(fact_writer *f, const robust_facts *r) {
  const double limit = robust_inputs_are_ball(r) ? r->verdict->first_order : INFINITY;
  char text[NUMBER_TEXT_SIZE];
  json_write_double(&f->json, "radius_failed", robust_inputs_are_ball(r) ? r->verdict->failed : INFINITY, MPFR_RNDU);
  json_write_double(&f->json, "first_order_radius", limit, MPFR_RNDN);
  if (isfinite(limit))
    fact_text(
        f,
        "limit      %s: margin / ||gradient||, the distance to another answer as estimated to first order, no bound\n",
        radius_text(text, limit, MPFR_RNDN));
}

/* ---- executions -------------------------------------------------------------------------------------------------- */

/* What executions in a format may do, and what they may not: in short what network/step_execution.h and attcert(1)
 * say. */
static const char *const covered[] = {
    "weights and input rounded to the format; sums in any order, FMA or not, in float32 (of float64: in float64)",
    "halves: W x before its bias, constants, results inside of activations, scores, softmax and means, stored or not",
    "GELU, SiLU: x/2 (1 + erf or tanh), x Phi(x), x times a logistic function, products in any order",
    "attention: scaled before or after q . k; softmax less the largest score, or rescaled by blocks of 16 or more keys",
    "masked scores -inf, or so low that their exponential is 0; biases added to scores, or to each other first",
    "biases by slopes (ALiBi): slopes in float32 or wider, times a distance or a place, each stored or not",
    "LayerNorm, one kernel: centered squares, updates (Welford), merged parts, mean of squares less squared mean",
    "RMSNorm: nothing inside stored but x / s before the gain; rotary positions in float32 or wider, then stored",
    "exp, erf, tanh, powers, 1/sqrt and such within the ulps",
    NULL};

static const char *const excluded[] = {
    "partial sums in less than float32 (PyTorch's reduced-precision reductions), TF32, products of Strassen's kind",
    "LayerNorm whose results inside are stored in bfloat16 or float16, RMSNorm with others than x / s so stored",
    "positions, frequencies or angles of rotary positions in less than float32",
    "softmax without the largest score, or merged from parts by the logarithms of their sums",
    "another format for some weights or steps (autocast, quantisation); maps merged with others (absorbed latent keys)",
    NULL};

static void put_sentences(fact_writer *f, const char *key, const char *const *sentence) {
  const char *label = key;
  json_write_array(&f->json, key);
  for (; *sentence != NULL; sentence++, label = "") {
    json_write_string(&f->json, NULL, *sentence);
    fact_text(f, "%-10s %s\n", label, *sentence);
  }
  json_write_close(&f->json);
}

/* How far the margin at X is from the exact one in any execution, rounded upward; infinite: not bounded. */
static double execution_error(const robust_verdict *v) {
  const range executed = v->executed, exact = v->center.margin;
  if (!range_finite(executed)) return INFINITY;
  return range_larger(range_up(executed.hi - exact.lo), range_up(exact.hi - executed.lo));
}

static void put_execution_error(fact_writer *f, const robust_verdict *v) {
  const double error = execution_error(v);
  char text[NUMBER_TEXT_SIZE];
  json_write_double(&f->json, "error", error, MPFR_RNDU);
  if (isfinite(error))
    fact_text(f, ": margin(X) within %s of the exact one", radius_text(text, error, MPFR_RNDU));
  else
    fact_text(f, ": margin(X) has no finite bound");
  if (range_finite(v->executed)) robust_parts_range_json(&f->json, "margin", v->executed);
}

/* What executing the network adds. */
static void put_execution(fact_writer *f, const robust_facts *r) {
  const step_format *const format = r->ball->format;
  json_writer *const w = &f->json;
  json_write_string(w, "execution", format != NULL ? format->name : "exact");
  if (format == NULL) return;
  json_write_object(w, "executed");
  json_write_double(w, "ulp", format->ulp, MPFR_RNDN);
  fact_text(f, "execution  %s", format->name);
  if (!r->bound_alone) put_execution_error(f, r->verdict);
  fact_text(f, ", functions within %g ulp\n", format->ulp);
  put_sentences(f, "covered", covered);
  put_sentences(f, "excluded", excluded);
  json_write_close(w);
}

/* ---- the bound --------------------------------------------------------------------------------------------------- */

static void put_ended(fact_writer *f, const robust_facts *r) {
  const robust_verdict *const v = r->verdict;
  char text[NUMBER_TEXT_SIZE];
  if (v->bound.loss == NULL || v->bound.ended < 0) return;
  const step *const s = &r->network->steps.step[v->bound.ended];
  json_write_string(&f->json, "ended_at", s->kind->name);
  fact_text(f, "ended      %s of layer %d has no finite bound %s%s\n", s->kind->name, s->layer,
            robust_inputs_are_ball(r) ? "at " : "on ",
            !robust_inputs_are_ball(r) ? robust_inputs_name(r) : radius_text(text, v->failed, MPFR_RNDN));
}

static void put_share(fact_writer *f, const robust_share *share) {
  json_write_object(&f->json, NULL);
  json_write_string(&f->json, "operation", share->operation);
  json_write_index(&f->json, "layer", share->layer);
  json_write_double(&f->json, "share", share->share, MPFR_RNDN);
  json_write_close(&f->json);
  if (share->share < 5e-4) return;
  fact_text(f, "  %5.1f %%  %s", 100.0 * share->share, share->operation);
  if (share->layer >= 0) fact_text(f, ", layer %d", share->layer);
  fact_text(f, "\n");
}

static void put_loss(fact_writer *f, const robust_facts *r) {
  robust_share share[MOST_SHARES];
  const int count = robust_facts_shares(share, MOST_SHARES, r);
  json_write_array(&f->json, "loss");
  if (count > 0) fact_text(f, "\nlost       share of what the bound takes off the margin\n");
  for (int i = 0; i < count; i++) put_share(f, &share[i]);
  json_write_close(&f->json);
}

static void put_plan(fact_writer *f, const robust_facts *r) {
  const robust_plan *const plan = &r->verdict->bound.plan;
  char text[NUMBER_TEXT_SIZE];
  if (plan->symbols == 0) return;
  json_write_object(&f->json, "plan");
  json_write_integer(&f->json, "symbols", plan->symbols);
  json_write_integer(&f->json, "bytes", plan->bytes);
  json_write_integer(&f->json, "merged", plan->merged);
  json_write_close(&f->json);
  fact_text(f, "plan       %" PRIu64 " symbols, %s of forms at most", plan->symbols,
            number_text_bytes(text, plan->bytes));
  if (plan->merged > 0) fact_text(f, ", %" PRIu64 " columns of symbols merged", plan->merged);
  fact_text(f, "\n");
}

static void put_incomplete(fact_writer *f, const robust_facts *r) {
  json_write_integer(&f->json, "evaluations", (uint64_t)r->verdict->evaluations);
  json_write_bool(&f->json, "complete", r->incomplete == NULL);
  if (r->incomplete == NULL) return;
  json_write_string(&f->json, "incomplete", r->incomplete);
  fact_text(f, "INCOMPLETE %s: this is what was found until then\n", r->incomplete);
}

static void put_cost(fact_writer *f, const robust_facts *r) {
  robust_parts_cost(f, r->seconds, r->verdict->evaluations);
}

/* What `verify` found beside the certificate: the answer again, or a bound that does not show it. */
static void put_verified(fact_writer *f, const robust_facts *r) {
  const bool verified = r->verdict->certified > 0.0;
  char text[NUMBER_TEXT_SIZE];
  robust_parts_subject(f, r->subject, r->network);
  robust_answer_write(f, r);
  robust_inputs_write(f, r);
  json_write_bool(&f->json, "verified", verified);
  robust_inputs_verdict(f, r);
  put_certified(f, r);
  if (verified) return;
  fact_text(f, "undecided  the bound does not show it");
  if (robust_inputs_are_ball(r)) fact_text(f, " at %s", radius_text(text, r->radius, MPFR_RNDN));
  fact_text(f, "\n");
}

static void put_claim(fact_writer *f, const robust_facts *r, bool of_gradient) {
  char claim[512];
  const char *const function = r->ball->format != NULL ? CLAIM_EXECUTION : CLAIM_FUNCTION;
  char inputs[256];
  robust_inputs_claim(inputs, sizeof inputs, r);
  snprintf(claim, sizeof claim, REPORT_CLAIM_NUMBERS " %s; %s", function, inputs);
  json_write_string(&f->json, "claim", claim);
  fact_text(f, "\nclaim      " REPORT_CLAIM_NUMBERS "\n           ");
  if (of_gradient)
    fact_text(f, "the margin and its gradient are those of the network in exact arithmetic.\n");
  else
    fact_text(f, "%s;\n           %s.\n", function, inputs);
}

/* ---- reports: people and programs read the facts in another order each ------------------------------------------- */

typedef void part(fact_writer *f, const robust_facts *r);

void robust_report_write(FILE *out, bool json, const void *told) {
  static part *const parts[2][14] = {
      {put_center, put_execution, put_incomplete, robust_inputs_verdict, put_certified, put_margin_on_ball, put_refuted,
       put_counterexample, put_limit, put_ended, put_plan, put_cost, put_loss},
      {put_center, robust_inputs_verdict, put_certified, put_refuted, put_limit, put_counterexample, put_margin_on_ball,
       put_execution, put_ended, put_loss, put_plan, put_incomplete, put_cost}};
  fact_writer f;
  fact_writer_begin(&f, out, json, "robust");
  for (int i = 0; parts[json][i] != NULL; i++) parts[json][i](&f, told);
  put_claim(&f, told, false);
  fact_writer_end(&f);
}

void robust_report_write_gradient(FILE *out, bool json, const void *told) {
  fact_writer f;
  fact_writer_begin(&f, out, json, "gradient");
  put_center(&f, told);
  put_cost(&f, told);
  put_claim(&f, told, true);
  fact_writer_end(&f);
}

void robust_report_write_verified(FILE *out, bool json, const void *told) {
  static part *const parts[] = {put_verified, put_margin_on_ball, put_execution, put_ended, put_plan};
  fact_writer f;
  fact_writer_begin(&f, out, json, "verify");
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) parts[i](&f, told);
  put_cost(&f, told);
  put_claim(&f, told, false);
  fact_writer_end(&f);
}
