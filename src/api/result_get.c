/* What a result tells. */
#include "api/result.h"

#include "base/environment.h"

#include <math.h>

/* An end as a double, in the default environment; the rounding of MPFR's conversions is their own. */
static double end_of(mpfr_srcptr x, mpfr_rnd_t rounding) {
  environment before;
  environment_enter(&before, NULL);
  const double end = mpfr_get_d(x, rounding);
  environment_leave(&before, ATTCERT_OK);
  return end;
}

/* ---- the enclosure ----------------------------------------------------------------------------------------------- */

double attcert_result_lower(const attcert_result *r) {
  return end_of(r->run.certificate.lower, MPFR_RNDD);
}

double attcert_result_upper(const attcert_result *r) {
  return end_of(r->run.certificate.upper, MPFR_RNDU);
}

double attcert_result_relative_width(const attcert_result *r) {
  return r->run.certificate.relative_width;
}

double attcert_result_estimate(const attcert_result *r) {
  return r->run.certificate.estimate;
}

static const double *matrix(const attcert_matrix *m, size_t *rows, size_t *cols) {
  if (rows != NULL) *rows = (size_t)m->rows;
  if (cols != NULL) *cols = (size_t)m->cols;
  return m->data;
}

const double *attcert_result_vector(const attcert_result *r, size_t *rows, size_t *cols) {
  return matrix(&r->run.certificate.vector, rows, cols);
}

bool attcert_result_tolerance_met(const attcert_result *r) {
  return r->run.certificate.tolerance_met;
}

const char *attcert_result_incomplete(const attcert_result *r) {
  return r->run.incomplete.status == ATTCERT_RESOURCE ? r->run.incomplete.message : NULL;
}

const char *attcert_result_engine(const attcert_result *r) {
  return attcert_engine_name(r->run.certificate.engine);
}

double attcert_result_failure_log2(const attcert_result *r) {
  return r->run.certificate.failure_log2;
}

const char *attcert_result_plan(const attcert_result *r) {
  return r->run.certificate.plan;
}

int attcert_result_precision(const attcert_result *r) {
  return r->run.certificate.precision;
}

const attcert_certificate *attcert_result_certificate(const attcert_result *r) {
  return &r->run.certificate;
}

const char *attcert_result_json(const attcert_result *r) {
  return r->json;
}

const char *attcert_result_text(const attcert_result *r) {
  return r->text;
}

/* ---- the theory's bounds ----------------------------------------------------------------------------------------- */

/* NULL where there is no bound i. */
static const theory_bound *bound_at(const attcert_result *r, size_t i) {
  return i < attcert_result_bound_count(r) ? &r->run.bounds.bound[i] : NULL;
}

size_t attcert_result_bound_count(const attcert_result *r) {
  return r->run.has_bounds ? THEORY_COUNT : 0;
}

const char *attcert_result_bound_id(const attcert_result *r, size_t i) {
  const theory_bound *const bound = bound_at(r, i);
  return bound != NULL ? bound->id : NULL;
}

const char *attcert_result_bound_title(const attcert_result *r, size_t i) {
  const theory_bound *const bound = bound_at(r, i);
  return bound != NULL ? bound->title : NULL;
}

const char *attcert_result_bound_applies(const attcert_result *r, size_t i) {
  const theory_bound *const bound = bound_at(r, i);
  return bound != NULL ? bound->applies : NULL;
}

double attcert_result_bound_value(const attcert_result *r, size_t i) {
  const theory_bound *const bound = bound_at(r, i);
  return bound != NULL && bound->available ? end_of(bound->value, bound->lower ? MPFR_RNDD : MPFR_RNDU) : NAN;
}

bool attcert_result_bound_is_lower(const attcert_result *r, size_t i) {
  const theory_bound *const bound = bound_at(r, i);
  return bound != NULL && bound->lower;
}

/* ---- someone else's estimate ------------------------------------------------------------------------------------- */

const char *attcert_result_verdict(const attcert_result *r) {
  return r->has_check ? estimate_check_verdict_name(r->check.verdict) : NULL;
}

bool attcert_result_consistent(const attcert_result *r) {
  return r->has_check && r->check.consistent;
}

const char *attcert_result_within_rounding_of(const attcert_result *r) {
  return r->check.explains != NULL ? r->check.explains->name : NULL;
}

double attcert_result_slack(const attcert_result *r) {
  return r->has_check ? r->check.slack : NAN;
}

double attcert_result_gap(const attcert_result *r) {
  return r->has_check ? end_of(r->check.gap, MPFR_RNDU) : NAN;
}

double attcert_result_direction_lower(const attcert_result *r) {
  return r->check.has_direction ? end_of(r->check.direction_lo, MPFR_RNDD) : NAN;
}

double attcert_result_direction_upper(const attcert_result *r) {
  return r->check.has_direction ? end_of(r->check.direction_hi, MPFR_RNDU) : NAN;
}

/* ---- a ball ------------------------------------------------------------------------------------------------------ */

double attcert_result_ball_lower(const attcert_result *r) {
  return r->run.has_ball ? end_of(r->run.ball.lower, MPFR_RNDD) : NAN;
}

double attcert_result_ball_upper(const attcert_result *r) {
  return r->run.has_ball ? end_of(r->run.ball.upper, MPFR_RNDU) : NAN;
}

const char *attcert_result_ball_missing(const attcert_result *r) {
  return r->run.ball_missing.status == ATTCERT_RESOURCE ? r->run.ball_missing.message : NULL;
}

const char *attcert_result_ball_theorem(const attcert_result *r) {
  return r->run.has_ball ? r->run.ball.upper_by : NULL;
}

const double *attcert_result_ball_input(const attcert_result *r, size_t *rows, size_t *cols) {
  static const attcert_matrix none = {0};
  return matrix(r->run.has_ball ? &r->run.ball.x : &none, rows, cols);
}
