#include "run/run_layer.h"

#include "base/clock.h"
#include "base/process_group.h"
#include "base/progress_report.h"
#include "lipschitz/lipschitz.h"
#include "report/number_text.h"
#include "theory/heads/heads_theory.h"
#include "theory/token_ball.h"

#include <string.h>

static void init_answers(run_layer *run) {
  attcert_certificate_init(&run->certificate);
  theory_table_init(&run->bounds);
  ball_enclosure_init(&run->ball);
}

static void clear_answers(run_layer *run) {
  ball_enclosure_clear(&run->ball);
  theory_table_clear(&run->bounds);
  attcert_certificate_clear(&run->certificate);
}

void run_layer_init(run_layer *run) {
  *run = (run_layer){0};
  attcert_options_default(&run->options);
  init_answers(run);
}

void run_layer_clear(run_layer *run) {
  clear_answers(run);
  layer_norms_clear(&run->norms);
}

void run_layer_again(run_layer *run) {
  clear_answers(run);
  *run =
      (run_layer){.layer = run->layer, .x = run->x, .steps = run->steps, .options = run->options, .norms = run->norms};
  init_answers(run);
}

static attcert_status know_norms(run_layer *run, attcert_error *err) {
  return run->norms.head == NULL ? layer_norms_init(&run->norms, run->layer, err) : ATTCERT_OK;
}

/* ---- the certificate --------------------------------------------------------------------------------------------- */

attcert_status run_layer_certify(run_layer *run, attcert_error *err) {
  run->incomplete = (attcert_error){.message = ""};
  const attcert_status status =
      run->steps != NULL ? lipschitz_certify(&run->certificate, run->steps, run->x, &run->options, &run->incomplete)
                         : attcert_certify(&run->certificate, run->layer, run->x, &run->options, &run->incomplete);
  if (status == ATTCERT_OK || status == ATTCERT_NEGATIVE) return ATTCERT_OK;
  if (status == ATTCERT_RESOURCE && mpfr_number_p(run->certificate.upper)) return ATTCERT_OK;
  if (err != NULL) *err = run->incomplete;
  return status;
}

attcert_status run_layer_certify_pointwise(run_layer *run, attcert_error *err) {
  const attcert_options asked = run->options;
  if (run->steps != NULL)
    return attcert_fail(err, ATTCERT_RESOURCE, "there is no pointwise bound of a function made of steps");
  run->options.engine = ATTCERT_ENGINE_POINTWISE;
  run->options.scratch = NULL;
  const attcert_status status = run_layer_certify(run, err);
  run->options = asked;
  return status;
}

attcert_status run_layer_certify_or_pointwise(run_layer *run, attcert_error *err) {
  attcert_error refused = {.message = ""};
  attcert_status status = run_layer_certify(run, &refused);
  if (status == ATTCERT_RESOURCE && run->options.engine != ATTCERT_ENGINE_POINTWISE && run->steps == NULL) {
    status = run_layer_certify_pointwise(run, err);
    if (status == ATTCERT_OK) {
      run->incomplete = refused;
      return ATTCERT_OK;
    }
    if (status == ATTCERT_CANCELLED) return status;
    status = ATTCERT_RESOURCE;
  }
  if (status != ATTCERT_OK && err != NULL) *err = refused;
  return status;
}

/* ---- the theory's bounds ----------------------------------------------------------------------------------------- */

attcert_status run_layer_check_radius(const run_layer *run, double radius, attcert_error *err) {
  const double needed = token_ball_radius(run->x, NULL);
  if (radius >= needed) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "--radius-of-inputs: %g does not hold the tokens, expected at least %.17g",
                      radius, needed);
}

/* Of steps. */
static attcert_status add_bounds_of_steps(run_layer *run, double radius, attcert_error *err) {
  const double start = clock_seconds();
  attcert_status status = progress_report(&run->options, "theory bounds", 0, err);
  if (status == ATTCERT_OK)
    status = heads_theory_evaluate(&run->bounds, run->steps, run->x, radius, &run->options, err);
  run->has_bounds = status == ATTCERT_OK;
  run->bounds_seconds = clock_seconds() - start;
  return status;
}

/* The theory needs the layer in intervals once more: planned before it is allocated. */
static attcert_status check_bounds_memory(const run_layer *run, attcert_error *err) {
  const uint64_t limit = run->options.memory_limit;
  const uint64_t needed = layer_enclosure_bytes(run->layer, run->x->rows, run->certificate.precision);
  char needed_text[NUMBER_TEXT_SIZE], limit_text[NUMBER_TEXT_SIZE];
  if (limit == 0 || needed <= limit) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE, "theory bounds: the layer in intervals needs %s, the limit is %s",
                      number_text_bytes(needed_text, needed), number_text_bytes(limit_text, limit));
}

attcert_status run_layer_add_bounds(run_layer *run, double radius, attcert_error *err) {
  run->radius = radius > 0 ? radius : token_ball_radius(run->x, NULL);
  const double start = clock_seconds();
  layer_enclosure e;
  if (!process_group_reports(run->options.group)) return ATTCERT_OK;
  if (run->steps != NULL) return add_bounds_of_steps(run, radius, err);
  attcert_status status = check_bounds_memory(run, err);
  if (status == ATTCERT_OK) status = progress_report(&run->options, "theory bounds", 0, err);
  if (status == ATTCERT_OK) status = know_norms(run, err);
  if (status != ATTCERT_OK) return status;
  status = layer_enclosure_init(&e, run->layer, run->x, run->certificate.precision, run->options.threads, err);
  if (status == ATTCERT_OK) {
    status = theory_evaluate(&run->bounds, run->layer, &run->norms, run->x, &e, radius, err);
    layer_enclosure_clear(&e);
  }
  run->has_bounds = status == ATTCERT_OK;
  run->bounds_seconds = clock_seconds() - start;
  return status;
}

/* ---- a ball ------------------------------------------------------------------------------------------------------ */

attcert_status run_layer_add_ball(run_layer *run, attcert_error *err) {
  if (!process_group_reports(run->options.group)) return ATTCERT_OK;
  attcert_status status = know_norms(run, &run->ball_missing);
  if (status == ATTCERT_OK)
    status = ball_enclose(&run->ball, run->layer, &run->norms, run->x, &run->certificate, &run->region, &run->options,
                          &run->ball_missing);
  run->has_ball = status == ATTCERT_OK;
  if (status == ATTCERT_RESOURCE) return ATTCERT_OK;
  if (status != ATTCERT_OK && err != NULL) *err = run->ball_missing;
  return status;
}

/* ---- someone else's estimate ------------------------------------------------------------------------------------- */

/* What a format's rounding explains is a model of attcert_layer's alone. */
static attcert_status judge(const run_layer *run, estimate_check *check, double slack, attcert_error *err) {
  double rounding[FLOAT_FORMATS] = {0.0};
  const attcert_status status = run->steps != NULL ? ATTCERT_OK : estimate_rounding(rounding, run->layer, run->x, err);
  if (status != ATTCERT_OK) return status;
  if (check->dtype != NULL) slack = rounding[check->dtype - float_formats];
  estimate_check_judge(check, run->certificate.lower, run->certificate.upper, slack);
  estimate_check_explain(check, rounding);
  return ATTCERT_OK;
}

attcert_status run_layer_check(run_layer *run, estimate_check *check, const attcert_matrix *u, double slack,
                               attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  if (run->steps != NULL && check->dtype != NULL)
    return attcert_fail(err, ATTCERT_INPUT,
                        "dtype: no rounding is known of a function made of steps, expected a slack in its place");
  if (u->rows != 0) {
    status =
        run->steps != NULL
            ? lipschitz_direction(check->direction_lo, check->direction_hi, run->steps, run->x, u, &run->options, err)
            : attcert_direction(check->direction_lo, check->direction_hi, run->layer, run->x, u, &run->options, err);
    check->has_direction = status == ATTCERT_OK;
  }
  if (status == ATTCERT_OK) status = run_layer_certify(run, err);
  return status == ATTCERT_OK ? judge(run, check, slack, err) : status;
}

/* ---- what is said of it ------------------------------------------------------------------------------------------ */

static const char *reason(const attcert_error *err) {
  return err->status == ATTCERT_RESOURCE ? err->message : NULL;
}

report run_layer_report(const run_layer *run, const char *command, const report_subject *subject,
                        report_ball *ball_part) {
  *ball_part = (report_ball){&run->region, &run->ball, run->x->rows, &subject->input_tokens};
  return (report){.command = command,
                  .subject = subject,
                  .options = &run->options,
                  .certificate = &run->certificate,
                  .incomplete = reason(&run->incomplete),
                  .bounds = run->has_bounds ? &run->bounds : NULL,
                  .bounds_missing = reason(&run->bounds_missing),
                  .bounds_seconds = run->bounds_seconds,
                  .radius = strcmp(command, "bounds") == 0 ? run->radius : 0, /* others speak of the input alone */
                  .ball = run->has_ball ? ball_part : NULL,
                  .ball_missing = reason(&run->ball_missing)};
}

attcert_status run_layer_verdict(const run_layer *run, attcert_error *err) {
  const attcert_error *const causes[] = {&run->incomplete, &run->ball_missing};
  for (int i = 0; i < 2; i++) {
    if (causes[i]->status != ATTCERT_RESOURCE) continue;
    if (err != NULL) *err = *causes[i];
    return ATTCERT_RESOURCE;
  }
  return run->certificate.tolerance_met ? ATTCERT_OK : ATTCERT_NEGATIVE;
}

void run_layer_describe(report_subject *subject, const attcert_layer *layer, int tokens) {
  subject->dim = layer->dim;
  subject->heads = layer->heads;
  subject->head_dim = layer->head_dim;
  subject->out_dim = layer->out_dim;
  subject->mask = layer->mask;
  subject->tokens = tokens;
}

void run_layer_describe_cross(report_subject *subject, const cross_attention *cross, cross_by by, int tokens,
                              int context_tokens) {
  run_layer_describe(subject, &cross->layer, tokens);
  subject->by = cross_by_names[by];
  subject->norm = cross_by_norms[by];
  subject->by_text = cross_by_texts[by];
  subject->context_dim = cross->context_dim;
  subject->context_tokens = context_tokens;
}
