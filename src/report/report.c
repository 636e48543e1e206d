/* The report of a certificate, schema attcert/COMMAND/1. Every number that belongs to the claim is rounded outward. The
 * text is one fact a line, then the table of the theory's bounds, then the claim. */
#include "report/report.h"

#include "report/claim.h"
#include "report/number_text.h"
#include "report/subject_input.h"

#include <inttypes.h>
#include <math.h>

static void put_context(fact_writer *f, const report_subject *s) {
  json_writer *const w = &f->json;
  if (s->by == NULL) return;
  json_write_object(w, "context");
  json_write_integer(w, "m", (uint64_t)s->context_tokens);
  json_write_integer(w, "d", (uint64_t)s->context_dim);
  json_write_string(w, "by", s->by);
  json_write_string(w, "input", s->context);
  json_write_close(w);
  fact_text(f, "context    m = %d tokens, d = %d, %s\nby         %s: the derivative is by %s\n", s->context_tokens,
            s->context_dim, subject_name_text(s->context), s->by, s->by_text);
}

static void put_layer(fact_writer *f, const report_subject *s) {
  json_writer *const w = &f->json;
  json_write_object(w, "layer");
  json_write_integer(w, "n", (uint64_t)s->tokens);
  json_write_integer(w, "d", (uint64_t)s->dim);
  json_write_integer(w, "heads", (uint64_t)s->heads);
  json_write_integer(w, "head_dim", (uint64_t)s->head_dim);
  json_write_integer(w, "out_dim", (uint64_t)s->out_dim);
  json_write_string(w, "mask", subject_mask_name(s->mask));
  json_write_index(w, "head", s->head);
  if (s->function != NULL) {
    json_write_integer(w, "key_heads", (uint64_t)s->key_heads);
    json_write_string(w, "function", s->function);
    json_write_string(w, "attention", s->attention);
    if (s->scores[0] != '\0') json_write_string(w, "scores", s->scores);
  }
  subject_write_pairs(w, s);
  if (f->text == NULL) put_context(f, s);
  json_write_close(w);
  fact_text(f, "layer      %s", subject_name_text(s->name));
  if (s->from_model) fact_text(f, ", layer %d", s->model_layer);
  if (s->random) fact_text(f, ", seed %" PRIu64, s->seed);
  if (s->head != REPORT_WHOLE_LAYER) fact_text(f, ", head %d alone", s->head);
  fact_text(f, "\nshape      n = %d tokens, d = %d, %d head%s of dimension %d, mask %s\n", s->tokens, s->dim, s->heads,
            s->heads > 1 ? "s" : "", s->head_dim, subject_mask_name(s->mask));
  if (f->text != NULL) put_context(f, s);
  subject_tell_pairs(f, s);
  if (s->function == NULL) return;
  fact_text(f, "function   %s: %s\n", s->function, s->function_text);
  fact_text(f, "attention  %s\n", s->attention);
  if (s->scores[0] != '\0') fact_text(f, "scores     %s\n", s->scores);
}

static void put_source(fact_writer *f, const report_subject *s) {
  json_writer *const w = &f->json;
  json_write_object(w, "source");
  json_write_string(w, s->from_model ? "model" : "weights", s->name);
  if (s->random) json_write_integer(w, "seed", s->seed);
  if (s->from_model) json_write_integer(w, "layer", (uint64_t)s->model_layer);
  subject_write_source(f, s);
}

static void put_enclosure(fact_writer *f, const report_subject *s, const attcert_certificate *c) {
  json_write_object(&f->json, "lipschitz");
  fact_ends(f, "enclosure", s->norm != NULL ? s->norm : "||D_X f||_2", c->lower, c->upper);
  json_write_double(&f->json, "relative_width", c->relative_width, MPFR_RNDU);
  json_write_close(&f->json);
}

static void put_width(const fact_writer *f, const attcert_certificate *c, double tolerance) {
  char width[NUMBER_TEXT_SIZE];
  fact_text(f, "width      %s relative", number_text_double(width, c->relative_width, 3, MPFR_RNDU));
  if (tolerance > 0) fact_text(f, " (asked: %g, %s)", tolerance, c->tolerance_met ? "met" : "NOT met");
  fact_text(f, "\n");
}

static void put_run(fact_writer *f, const report *r) {
  const attcert_certificate *const c = r->certificate;
  json_writer *const w = &f->json;
  char text[NUMBER_TEXT_SIZE];
  json_write_string(w, "engine", attcert_engine_name(c->engine));
  json_write_integer(w, "precision_bits", (uint64_t)c->precision);
  if (r->radius > 0)
    json_write_double(w, "radius", r->radius, MPFR_RNDN);
  else
    json_write_integer(w, "radius", 0);
  json_write_string(w, "plan", c->plan);
  fact_text(f, "engine     %s, %d bits\nplan       %s\n", attcert_engine_name(c->engine), c->precision, c->plan);
  json_write_double(w, "tolerance", r->options->tolerance > 0 ? r->options->tolerance : NAN, MPFR_RNDN);
  json_write_bool(w, "tolerance_met", c->tolerance_met);
  json_write_bool(w, "complete", r->incomplete == NULL);
  if (r->incomplete != NULL) {
    json_write_string(w, "incomplete", r->incomplete);
    fact_text(f, "INCOMPLETE %s: this is the best valid bound so far\n", r->incomplete);
  }
  json_write_double(w, "estimate", c->estimate, MPFR_RNDN);
  fact_text(f, "estimate   %s by power iteration in double: not certified, a lower estimate\n",
            number_text_double(text, c->estimate, NUMBER_TEXT_DIGITS, MPFR_RNDN));
}

static void put_cost(fact_writer *f, const report *r) {
  const attcert_seconds *const s = &r->certificate->seconds;
  json_writer *const w = &f->json;
  char text[NUMBER_TEXT_SIZE];
  json_write_object(w, "seconds");
  json_write_double(w, "layer", s->layer, MPFR_RNDN);
  json_write_double(w, "lower", s->lower, MPFR_RNDN);
  json_write_double(w, "upper", s->upper, MPFR_RNDN);
  json_write_double(w, "total", s->total, MPFR_RNDN);
  if (r->bounds != NULL) json_write_double(w, "bounds", r->bounds_seconds, MPFR_RNDN);
  json_write_close(w);
  json_write_integer(w, "peak_memory_bytes", r->certificate->peak_memory);
  fact_text(f, "time       %.2f s (layer %.2f, lower %.2f, upper %.2f", s->total, s->layer, s->lower, s->upper);
  if (r->bounds != NULL) fact_text(f, "; theory bounds %.2f more", r->bounds_seconds);
  fact_text(f, "), peak memory %s\n", number_text_bytes(text, r->certificate->peak_memory));
}

/* What is there of a bound. One from above on a ball holds on a smaller one too, one from below on a larger one; ratio:
 * the bound over the upper end, rounded up, NaN where that is 0. */
static void put_value(fact_writer *f, const theory_bound *bound, const attcert_certificate *c) {
  const mpfr_rnd_t outward = bound->lower ? MPFR_RNDD : MPFR_RNDU;
  char value[NUMBER_TEXT_SIZE], factor[NUMBER_TEXT_SIZE];
  mpfr_t ratio;
  mpfr_init2(ratio, 53); /* NaN */
  if (!mpfr_zero_p(c->upper)) mpfr_div(ratio, bound->value, c->upper, MPFR_RNDU);
  json_write_real(&f->json, bound->lower ? "lower" : "upper", bound->value, outward);
  json_write_real(&f->json, "ratio", ratio, MPFR_RNDU);
  if (bound->radius > 0) json_write_double(&f->json, "radius", bound->radius, bound->lower ? MPFR_RNDU : MPFR_RNDD);
  fact_text(f, "%s %-13s %-9s", bound->lower ? ">=" : "<=", number_text_short(value, bound->value, 6, outward),
            mpfr_nan_p(ratio) ? "-" : number_text_short(factor, ratio, 4, MPFR_RNDU));
  mpfr_clear(ratio);
}

static void put_bound(fact_writer *f, const theory_bound *bound, const attcert_certificate *c) {
  json_write_object(&f->json, NULL);
  json_write_string(&f->json, "id", bound->id);
  json_write_string(&f->json, "title", bound->title);
  json_write_bool(&f->json, "available", bound->available);
  fact_text(f, "  %-4s ", bound->id);
  if (bound->available)
    put_value(f, bound, c);
  else
    fact_text(f, "%-26s", "not available");
  json_write_string(&f->json, "applies", bound->applies);
  json_write_close(&f->json);
  fact_text(f, " %s: %s\n", bound->title, bound->applies);
}

static void put_bounds(fact_writer *f, const report *r) {
  json_write_array(&f->json, "bounds");
  if (r->bounds != NULL)
    fact_text(f, "\ntheory    %-13s ratio     to the certified upper end; rounded outward\n", "bound");
  for (int i = 0; r->bounds != NULL && i < THEORY_COUNT; i++) put_bound(f, &r->bounds->bound[i], r->certificate);
  json_write_close(&f->json);
  if (r->bounds_missing == NULL) return;
  json_write_string(&f->json, "bounds_missing", r->bounds_missing);
  fact_text(f, "\nno theory bounds: %s\n", r->bounds_missing);
}

static void put_gap(fact_writer *f, const estimate_check *check) {
  static const char *const meaning[] = {
      [ESTIMATE_INSIDE] = "inside the enclosure: consistent with the exact value",
      [ESTIMATE_BELOW] = "below the lower end: an iteration that has not converged, or lost this much to rounding",
      [ESTIMATE_ABOVE] = "above the upper end: no direction stretches that much",
  };
  char gap[NUMBER_TEXT_SIZE];
  json_write_string(&f->json, "estimate", check->text);
  json_write_string(&f->json, "verdict", estimate_check_verdict_name(check->verdict));
  json_write_real(&f->json, "relative_gap", check->gap, MPFR_RNDU);
  fact_text(f, "\nchecked    %s is %s\n", check->text,
            check->printed ? "outside, by no more than the ends are rounded outward where they are printed"
                           : meaning[check->verdict]);
  if (check->verdict != ESTIMATE_INSIDE)
    fact_text(f, "gap        %s relative", number_text_decimal(gap, check->gap, 3, MPFR_RNDU));
  if (check->explains != NULL)
    fact_text(f, ": within %s's rounding of this norm, about %.1e (a model, no bound)", check->explains->name,
              check->rounding);
  if (check->verdict != ESTIMATE_INSIDE) fact_text(f, "\n");
}

static void put_direction(fact_writer *f, const estimate_check *check) {
  char lower[NUMBER_TEXT_SIZE], upper[NUMBER_TEXT_SIZE];
  json_write_object(&f->json, "vector");
  json_write_real(&f->json, "lower", check->direction_lo, MPFR_RNDD);
  json_write_real(&f->json, "upper", check->direction_hi, MPFR_RNDU);
  json_write_close(&f->json);
  fact_text(f, "vector     %s <= ||J u|| / ||u|| <= %s, whatever was claimed for it\n",
            number_text_end(lower, check->direction_lo, MPFR_RNDD),
            number_text_end(upper, check->direction_hi, MPFR_RNDU));
}

static void put_verdict(fact_writer *f, const estimate_check *check) {
  const char *const dtype = check->dtype != NULL ? check->dtype->name : NULL;
  const char *const explains = check->explains != NULL ? check->explains->name : NULL;
  json_write_double(&f->json, "slack", check->slack, MPFR_RNDN);
  json_write_string(&f->json, "dtype", dtype);
  json_write_string(&f->json, "within_rounding_of", explains);
  json_write_bool(&f->json, "within_printed_digits", check->printed);
  json_write_bool(&f->json, "consistent", check->consistent);
  fact_text(f, "verdict    %s", check->consistent ? "consistent" : "refuted");
  if (check->printed) fact_text(f, " within the printed digits");
  if (check->slack > 0) fact_text(f, " with a slack of %g", check->slack);
  if (dtype != NULL) fact_text(f, ", what %s's rounding explains", dtype);
  if (!check->consistent && explains != NULL && dtype == NULL)
    fact_text(f, ", but --dtype %s allows for its rounding", explains);
  fact_text(f, "\n");
}

static void put_check(fact_writer *f, const estimate_check *check) {
  json_write_object(&f->json, "check");
  put_gap(f, check);
  if (f->text == NULL) put_verdict(f, check);
  if (check->has_direction) put_direction(f, check);
  if (f->text != NULL) put_verdict(f, check);
  json_write_close(&f->json);
}

void report_put(fact_writer *f, const report *r) {
  claim_write(f, r->certificate);
  put_layer(f, r->subject);
  put_source(f, r->subject);
  put_enclosure(f, r->subject, r->certificate);
  put_width(f, r->certificate, r->options->tolerance);
  if (r->ball != NULL) report_ball_write(f, r->ball);
  if (r->ball_missing != NULL) {
    json_write_string(&f->json, "ball_missing", r->ball_missing);
    fact_text(f, "no ball    %s\n", r->ball_missing);
  }
  put_run(f, r);
  if (f->text != NULL) put_cost(f, r);
  put_bounds(f, r);
  if (r->check != NULL) put_check(f, r->check);
  if (r->worst != NULL) report_worst_write(f, r->worst, r->certificate, r->bounds);
  if (f->text == NULL) put_cost(f, r);
  claim_tell(f, r->certificate);
}

void report_write(FILE *out, bool json, const void *told) {
  const report *const r = told;
  fact_writer f;
  fact_writer_begin(&f, out, json, r->command);
  report_put(&f, r);
  fact_writer_end(&f);
}
