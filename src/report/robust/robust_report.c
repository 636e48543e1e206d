#include "report/robust/robust_report.h"

#include "report/claim.h"
#include "report/number_text.h"
#include "report/report_words.h"
#include "report/robust/robust_answer.h"
#include "report/robust/robust_parts.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_SHARES = 4096, RADIUS_DIGITS = 6 };

#define CLAIM_FUNCTION "the answer is that of the network in exact arithmetic"
#define CLAIM_EXECUTION "the answer is that of every execution of the network in the format, of the kinds covered"
#define CLAIM_BALL "it is the same for every input whose rows differ in the words named, by at most the radius"
#define CLAIM_MASK "it is the same for every input whose rows differ in the entries of the mask, by at most the radius"
#define CLAIM_BOX "it is the same for every input of the box"

/* As people read a radius. */
static const char *radius_text(char buf[NUMBER_TEXT_SIZE], double radius, mpfr_rnd_t rounding) {
  return number_text_double(buf, radius, RADIUS_DIGITS, rounding);
}

/* A box in place of a ball: no radius is told. */
static bool is_box(const robust_facts *r) {
  return r->ball->region.box != NULL;
}

static size_t moving_entries(const robust_facts *r) {
  const ball_region *const region = &r->ball->region;
  const size_t d = (size_t)r->network->steps.dim, all = (size_t)r->network->steps.tokens * d;
  size_t count = 0;
  for (size_t at = 0; at < all; at++) {
    count += ball_region_moves(region, (int)(at / d)) && ball_region_moves_entry(region, at) &&
             (region->box == NULL || region->box->least[at] < region->box->most[at]);
  }
  return count;
}

static void put_center(fact_writer *f, const robust_facts *r) {
  robust_parts_subject(f, r->subject, r->network);
  robust_answer_write(f, r);
  robust_parts_range(f, "margin", "margin", "margin(X)", r->verdict->center.margin);
  const ball_region *const region = &r->ball->region;
  const char *const dual = is_box(r) ? "sum half widths |grad margin|" : ball_region_kind(region)->dual;
  robust_parts_range(f, "gradient_norm", "gradient", dual, r->verdict->center.norm);
  json_write_string(&f->json, "ball", is_box(r) ? "box" : ball_region_kind(region)->name);
  json_write_string(&f->json, "norm", ball_region_kind(region)->norm->name);
  report_words_json(&f->json, region, r->network->steps.tokens);
  if (region->entries != NULL || is_box(r)) json_write_integer(&f->json, "entries", moving_entries(r));
}

/* ---- radii: those that are not there are null -------------------------------------------------------------------- */

static void put_words(const fact_writer *f, const robust_facts *r) {
  const ball_region *const region = &r->ball->region;
  const int tokens = r->network->steps.tokens;
  if (f->text == NULL) return;
  if (report_words_all(region, tokens)) {
    fact_text(f, "all words");
    return;
  }
  fact_text(f, ball_region_count(region, tokens) > 1 ? "words " : "word ");
  report_words_text(f->text, region, tokens, &r->subject->input_tokens);
}

static void put_moving(const fact_writer *f, const robust_facts *r) {
  put_words(f, r);
  if (r->ball->region.entries != NULL || is_box(r)) fact_text(f, "; %zu entries", moving_entries(r));
}

static void put_box(fact_writer *f, const robust_facts *r) {
  const robust_verdict *const v = r->verdict;
  if (!is_box(r)) return;
  json_write_bool(&f->json, "box_certified", v->certified > 0.0);
  json_write_bool(&f->json, "box_refuted", isfinite(v->refuted));
  if (v->certified > 0.0) {
    fact_text(f, "certified  no input of the box changes the answer (");
    put_moving(f, r);
    fact_text(f, ")\n");
  }
}

static void put_certified(fact_writer *f, const robust_facts *r) {
  const double certified = r->verdict->certified;
  char text[NUMBER_TEXT_SIZE];
  json_write_double(&f->json, "radius", r->radius > 0.0 ? r->radius : NAN, MPFR_RNDN);
  json_write_double(&f->json, "radius_certified", certified > 0.0 && !is_box(r) ? certified : NAN, MPFR_RNDD);
  if (certified == 0.0 || is_box(r)) return;
  fact_text(f, "certified  %s: no input within this distance changes the answer (",
            radius_text(text, certified, MPFR_RNDD));
  put_moving(f, r);
  fact_text(f, ")\n");
}

static void put_margin_on_ball(fact_writer *f, const robust_facts *r) {
  if (r->verdict->certified > 0.0 || (is_box(r) && r->verdict->bound.loss != NULL))
    robust_parts_range(f, "margin_on_ball", is_box(r) ? "on box" : "on ball", "margin", r->verdict->bound.margin);
}

static void put_refuted(fact_writer *f, const robust_facts *r) {
  const double refuted = r->verdict->refuted;
  char text[NUMBER_TEXT_SIZE];
  json_write_double(&f->json, "radius_refuted", is_box(r) ? INFINITY : refuted, MPFR_RNDU);
  if (isfinite(refuted) && is_box(r))
    fact_text(f, "refuted    an input of the box changes the answer");
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
}

static void put_limit(fact_writer *f, const robust_facts *r) {
  const double limit = is_box(r) ? INFINITY : r->verdict->first_order;
  char text[NUMBER_TEXT_SIZE];
  json_write_double(&f->json, "radius_failed", is_box(r) ? INFINITY : r->verdict->failed, MPFR_RNDU);
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
    "attention: scaled before or after q . k; softmax less the largest score, or rescaled by blocks of 16 keys or more",
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

/* What executing the network adds. */
static void put_execution(fact_writer *f, const robust_facts *r) {
  const step_format *const format = r->ball->format;
  json_writer *const w = &f->json;
  char text[NUMBER_TEXT_SIZE];
  json_write_string(w, "execution", format != NULL ? format->name : "exact");
  if (format == NULL) return;
  const double error = execution_error(r->verdict);
  json_write_object(w, "executed");
  json_write_double(w, "ulp", format->ulp, MPFR_RNDN);
  json_write_double(w, "error", error, MPFR_RNDU);
  if (isfinite(error))
    fact_text(f, "execution  %s: margin(X) within %s of the exact one, functions within %g ulp\n", format->name,
              radius_text(text, error, MPFR_RNDU), format->ulp);
  else
    fact_text(f, "execution  %s: margin(X) has no finite bound\n", format->name);
  if (range_finite(r->verdict->executed)) robust_parts_range_json(w, "margin", r->verdict->executed);
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
            is_box(r) ? "on the box" : "at ", is_box(r) ? "" : radius_text(text, v->failed, MPFR_RNDN));
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

/* For which inputs the answer is the same. */
static void write_inputs(char *to, size_t size, const robust_facts *r) {
  if (is_box(r))
    snprintf(to, size, "%s", CLAIM_BOX);
  else
    snprintf(to, size, "%s %s", r->ball->region.entries != NULL ? CLAIM_MASK : CLAIM_BALL,
             ball_region_kind(&r->ball->region)->difference);
}

static void put_claim(fact_writer *f, const robust_facts *r, bool of_gradient) {
  char claim[512];
  const char *const function = r->ball->format != NULL ? CLAIM_EXECUTION : CLAIM_FUNCTION;
  char inputs[256];
  write_inputs(inputs, sizeof inputs, r);
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
      {put_center, put_execution, put_incomplete, put_box, put_certified, put_margin_on_ball, put_refuted,
       put_counterexample, put_limit, put_ended, put_plan, put_cost, put_loss},
      {put_center, put_box, put_certified, put_refuted, put_limit, put_counterexample, put_margin_on_ball,
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
