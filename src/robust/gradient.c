#include "robust/gradient.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_set.h"

#include <stdlib.h>

/* Intervals widen by a few bits a step, forward and back; where that was not enough, twice as many are tried. */
enum { FIRST_BITS = 64, STEP_BITS = 4, MOST_BITS = 1024 };

/* One matrix of intervals a value of the network. */
typedef struct {
  const network_steps *network;
  const robust_watch *watch;
  step_enclosure *value, *slope; /* [steps + 1] */
  step_scratch scratch;
} pass;

/* steps of the way there and back */
static attcert_status report(const pass *p, int steps, attcert_error *err) {
  return robust_watch_report(p->watch, 0.5 * steps / p->network->count, err);
}

static attcert_status go_forward(pass *p, const attcert_matrix *x, attcert_error *err) {
  attcert_status status = network_enclose_input(p->value, x, &p->scratch, err);
  for (int s = 0; s < p->network->count && status == ATTCERT_OK; s++) {
    status = report(p, s, err);
    if (status == ATTCERT_OK) status = network_enclose(p->value, p->network, s, &p->scratch, err);
  }
  return status;
}

static attcert_status go_back(pass *p, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (int s = p->network->count - 1; s >= 0 && status == ATTCERT_OK; s--) {
    status = report(p, 2 * p->network->count - s - 1, err);
    if (status == ATTCERT_OK) status = network_enclose_pull_back(p->slope, p->value, p->network, s, &p->scratch, err);
  }
  return status;
}

/* The margin, and the rival with the smallest difference. */
static void read_margin(robust_gradient *result, const step_enclosure *score, step_scratch *scratch) {
  interval *const t = &scratch->t[0];
  double second = INFINITY; /* the smallest lower end among the others */
  if (result->label < 0) {
    result->label = 0;
    for (int c = 1; c < score->cols; c++) {
      if (mpfr_greater_p(step_entry(score, 0, c)->hi, step_entry(score, 0, result->label)->hi)) result->label = c;
    }
  }
  result->margin = (range){INFINITY, INFINITY};
  for (int c = 0; c < score->cols; c++) {
    if (c == result->label) continue;
    interval_sub(t, step_entry(score, 0, result->label), step_entry(score, 0, c));
    const range difference = {interval_get_d_lower(t), interval_get_d_upper(t)};
    const bool smallest = !(difference.hi >= result->margin.hi);
    if (smallest) {
      second = range_smaller(second, result->margin.lo);
      result->rival = c;
      result->margin.hi = difference.hi;
      result->margin.lo = difference.lo;
    } else {
      second = range_smaller(second, difference.lo);
    }
  }
  result->differentiable = result->margin.hi < second;
  result->margin.lo = range_smaller(result->margin.lo, second);
}

static attcert_status enclose_norm(robust_gradient *result, pass *p, const ball_region *region, attcert_error *err) {
  const int steps = p->network->count;
  interval *const norm = &p->scratch.t[0];
  attcert_status status =
      step_enclosure_init(&p->slope[steps], 1, network_cols(p->network, steps), p->scratch.precision, err);
  if (status != ATTCERT_OK) return status;
  interval_set_si(step_entry(&p->slope[steps], 0, result->label), 1);
  interval_set_si(step_entry(&p->slope[steps], 0, result->rival), -1);
  status = go_back(p, err);
  if (status != ATTCERT_OK) return status;
  ball_region_dual_norm(norm, p->slope[0].entry, p->network->tokens, p->network->dim, region, &p->scratch.ws);
  result->norm = (range){interval_get_d_lower(norm), interval_get_d_upper(norm)};
  return ATTCERT_OK;
}

static void end_pass(pass *p) {
  for (int v = 0; v <= p->network->count; v++) {
    step_enclosure_clear(&p->value[v]);
    step_enclosure_clear(&p->slope[v]);
  }
  step_scratch_clear(&p->scratch);
  free(p->value);
  free(p->slope);
}

/* watch may be NULL. */
static attcert_status begin_pass(pass *p, const network_steps *network, const robust_watch *watch,
                                 mpfr_prec_t precision, attcert_error *err) {
  const size_t values = (size_t)network->count + 1;
  *p = (pass){.network = network, .watch = watch};
  const array_table table = {{ARRAY(p->value, values), ARRAY(p->slope, values)}};
  const attcert_status status = array_table_allocate(&table, err, "a pass of %d steps", network->count);
  if (status == ATTCERT_OK) step_scratch_init(&p->scratch, precision);
  return status;
}

/* One pass at a precision. */
static attcert_status enclose(robust_gradient *result, const network_steps *network, const robust_gradient_place *at,
                              mpfr_prec_t precision, attcert_error *err) {
  pass p;
  *result = (robust_gradient){.label = at->label, .rival = -1, .norm = {0.0, INFINITY}};
  attcert_status status = begin_pass(&p, network, at->watch, precision, err);
  if (status != ATTCERT_OK) return status;
  status = go_forward(&p, at->x, err);
  if (status == ATTCERT_OK) {
    read_margin(result, &p.value[network->count], &p.scratch);
    if (result->differentiable && at->region != NULL) status = enclose_norm(result, &p, at->region, err);
  }
  end_pass(&p);
  return status;
}

/* Whether a pass with more bits could not say much more. */
static bool is_narrow(const robust_gradient *g, bool norm) {
  const double size = range_magnitude(g->margin);
  if (!(g->margin.hi - g->margin.lo <= 1e-9 * size)) return false;
  return !norm || (g->differentiable && g->norm.hi - g->norm.lo <= 1e-9 * g->norm.hi);
}

attcert_status robust_gradient_enclose(robust_gradient *result, const network_steps *network,
                                       const robust_gradient_place *at, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (mpfr_prec_t bits = FIRST_BITS + STEP_BITS * network->count; status == ATTCERT_OK; bits *= 2) {
    status = enclose(result, network, at, bits, err);
    if (is_narrow(result, at->region != NULL) || bits >= MOST_BITS) break;
  }
  return status;
}

/* The scores of one pass; *known: no sign is open. */
static attcert_status enclose_scores(range *score, bool *known, const network_steps *network, const attcert_matrix *x,
                                     mpfr_prec_t precision, attcert_error *err) {
  pass p;
  attcert_status status = begin_pass(&p, network, NULL, precision, err);
  if (status != ATTCERT_OK) return status;
  status = go_forward(&p, x, err);
  *known = true;
  for (int c = 0; c < network_cols(network, network->count) && status == ATTCERT_OK; c++) {
    const interval *const entry = step_entry(&p.value[network->count], 0, c);
    score[c] = (range){interval_get_d_lower(entry), interval_get_d_upper(entry)};
    *known = *known && (score[c].lo > 0.0 || score[c].hi < 0.0);
  }
  end_pass(&p);
  return status;
}

attcert_status robust_gradient_scores(range *score, const network_steps *network, const attcert_matrix *x,
                                      attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  bool known = false;
  for (mpfr_prec_t bits = FIRST_BITS + STEP_BITS * network->count; status == ATTCERT_OK && !known; bits *= 2) {
    status = enclose_scores(score, &known, network, x, bits, err);
    if (bits >= MOST_BITS) break;
  }
  return status;
}
