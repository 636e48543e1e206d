/* The JSON report, schema attcert/COMMAND/1. Every number that belongs to the claim is rounded outward. */
#include "report/claim.h"
#include "report/json_writer.h"
#include "report/number_text.h"
#include "report/report.h"
#include "report/subject_input.h"
#include "report/subject_json.h"

static void put_layer(json_writer *w, const report_subject *s) {
  json_write_object(w, "layer");
  json_write_integer(w, "n", (uint64_t)s->tokens);
  json_write_integer(w, "d", (uint64_t)s->dim);
  json_write_integer(w, "heads", (uint64_t)s->heads);
  json_write_integer(w, "head_dim", (uint64_t)s->head_dim);
  json_write_integer(w, "out_dim", (uint64_t)s->out_dim);
  json_write_string(w, "mask", subject_mask_name(s->mask));
  if (s->head == REPORT_WHOLE_LAYER)
    json_write_null(w, "head");
  else
    json_write_integer(w, "head", (uint64_t)s->head);
  json_write_close(w);
}

static void put_source(json_writer *w, const report_subject *s) {
  json_write_object(w, "source");
  json_write_string(w, s->from_model ? "model" : "weights", s->name);
  if (s->random) json_write_integer(w, "seed", s->seed);
  if (s->from_model) json_write_integer(w, "layer", (uint64_t)s->model_layer);
  subject_write_input(w, s);
  json_write_close(w);
}

static void put_hex(json_writer *w, const char *key, mpfr_srcptr x) {
  char text[NUMBER_TEXT_SIZE];
  json_write_string(w, key, number_text_hex(text, x));
}

static void put_enclosure(json_writer *w, const attcert_certificate *c) {
  json_write_object(w, "lipschitz");
  json_write_real(w, "lower", c->lower, MPFR_RNDD);
  json_write_real(w, "upper", c->upper, MPFR_RNDU);
  put_hex(w, "lower_hex", c->lower);
  put_hex(w, "upper_hex", c->upper);
  json_write_double(w, "relative_width", c->relative_width, MPFR_RNDU);
  json_write_close(w);
}

static void put_run(json_writer *w, const report *r) {
  const attcert_certificate *const c = r->certificate;
  json_write_string(w, "engine", attcert_engine_name(c->engine));
  json_write_integer(w, "precision_bits", (uint64_t)c->precision);
  if (r->radius > 0)
    json_write_double(w, "radius", r->radius, MPFR_RNDN);
  else
    json_write_integer(w, "radius", 0);
  json_write_string(w, "plan", c->plan);
  if (r->options->tolerance > 0)
    json_write_double(w, "tolerance", r->options->tolerance, MPFR_RNDN);
  else
    json_write_null(w, "tolerance");
  json_write_bool(w, "tolerance_met", c->tolerance_met);
  json_write_bool(w, "complete", r->incomplete == NULL);
  if (r->incomplete != NULL) json_write_string(w, "incomplete", r->incomplete);
  json_write_double(w, "estimate", c->estimate, MPFR_RNDN);
}

/* A bound from above on a ball holds on a smaller one too, a bound from below on a larger one. */
static void put_bound(json_writer *w, const theory_bound *bound, const attcert_certificate *certificate) {
  const mpfr_rnd_t outward = bound->lower ? MPFR_RNDD : MPFR_RNDU;
  mpfr_t ratio;
  mpfr_init2(ratio, 53);
  report_bound_ratio(ratio, bound, certificate);
  json_write_object(w, NULL);
  json_write_string(w, "id", bound->id);
  json_write_string(w, "title", bound->title);
  json_write_bool(w, "available", bound->available);
  if (bound->available) {
    json_write_real(w, bound->lower ? "lower" : "upper", bound->value, outward);
    json_write_real(w, "ratio", ratio, MPFR_RNDU);
  }
  if (bound->available && bound->radius > 0)
    json_write_double(w, "radius", bound->radius, bound->lower ? MPFR_RNDU : MPFR_RNDD);
  json_write_string(w, "applies", bound->applies);
  json_write_close(w);
  mpfr_clear(ratio);
}

static void put_bounds(json_writer *w, const report *r) {
  json_write_array(w, "bounds");
  for (int i = 0; r->bounds != NULL && i < THEORY_COUNT; i++) put_bound(w, &r->bounds->bound[i], r->certificate);
  json_write_close(w);
  if (r->bounds_missing != NULL) json_write_string(w, "bounds_missing", r->bounds_missing);
}

static void put_check(json_writer *w, const estimate_check *check) {
  json_write_object(w, "check");
  json_write_string(w, "estimate", check->text);
  json_write_string(w, "verdict", estimate_check_verdict_name(check->verdict));
  json_write_real(w, "relative_gap", check->gap, MPFR_RNDU);
  json_write_double(w, "slack", check->slack, MPFR_RNDN);
  json_write_string(w, "dtype", check->dtype != NULL ? check->dtype->name : NULL);
  json_write_string(w, "within_rounding_of", check->explains != NULL ? check->explains->name : NULL);
  json_write_bool(w, "within_printed_digits", check->printed);
  json_write_bool(w, "consistent", check->consistent);
  if (check->has_direction) {
    json_write_object(w, "vector");
    json_write_real(w, "lower", check->direction_lo, MPFR_RNDD);
    json_write_real(w, "upper", check->direction_hi, MPFR_RNDU);
    json_write_close(w);
  }
  json_write_close(w);
}

static void put_cost(json_writer *w, const report *r) {
  const attcert_seconds *const s = &r->certificate->seconds;
  json_write_object(w, "seconds");
  json_write_double(w, "layer", s->layer, MPFR_RNDN);
  json_write_double(w, "lower", s->lower, MPFR_RNDN);
  json_write_double(w, "upper", s->upper, MPFR_RNDN);
  json_write_double(w, "total", s->total, MPFR_RNDN);
  if (r->bounds != NULL) json_write_double(w, "bounds", r->bounds_seconds, MPFR_RNDN);
  json_write_close(w);
  json_write_integer(w, "peak_memory_bytes", r->certificate->peak_memory);
}

void report_json(FILE *out, const report *r) {
  char schema[64];
  json_writer w;
  snprintf(schema, sizeof schema, "attcert/%s/1", r->command);
  json_writer_begin(&w, out);
  json_write_object(&w, NULL);
  json_write_string(&w, "schema", schema);
  json_write_string(&w, "version", ATTCERT_VERSION);
  json_write_string(&w, "claim", REPORT_CLAIM);
  put_layer(&w, r->subject);
  put_source(&w, r->subject);
  subject_write_files(&w, r->subject);
  subject_write_tokens(&w, r->subject);
  put_enclosure(&w, r->certificate);
  if (r->ball != NULL) report_ball_json(&w, r->ball);
  if (r->ball_missing != NULL) json_write_string(&w, "ball_missing", r->ball_missing);
  put_run(&w, r);
  put_bounds(&w, r);
  if (r->check != NULL) put_check(&w, r->check);
  if (r->worst != NULL) report_worst_json(&w, r->worst, r->certificate, r->bounds);
  put_cost(&w, r);
  json_write_close(&w);
  json_writer_end(&w);
}
