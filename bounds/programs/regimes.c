/* The two regimes of one head on B_R^n: the certified worst input found beside the theory's bounds, one CSV row for
 * each n.
 *
 *   regimes OUTPUT WEIGHTS none|causal R STEPS ASCENT N...
 *
 * OUTPUT: the CSV file. WEIGHTS: a file of one head, in the layout that attcert reads. STEPS: of the search among
 * sequences of few distinct tokens, from each start. ASCENT: for n up to this, `attcert worst`'s search among all
 * sequences too. N: increasing.
 *
 * Columns: lower <= Lip(f | B_R^n) <= upper, and upper / lower, rounded up; the bound that upper is; clusters, the
 * certified lower bound at the sequence found (cluster_direction.h), and the start it came from; ascent, the same from
 * the search among all sequences, by attcert_certify; lower is the larger of the two. Then the bounds of the theory,
 * rounded outward. Exit status 1: a lower bound exceeds an upper one, or T3 exceeds the worst that was found. */
#include "arguments.h"
#include "ball_values.h"
#include "cluster_direction.h"
#include "cluster_norm.h"
#include "cluster_search.h"
#include "csv.h"
#include "model/format/atomic_file.h"
#include "model/weights.h"
#include "search/worst_search.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  attcert_layer head;
  double radius;
  int steps, ascent;
} experiment;

typedef struct {
  int n;
  cluster_worst worst;
  interval clusters; /* ||J u|| / ||u|| */
  bool climbed;
  mpfr_t ascent; /* certified, of the search among all sequences */
  ball_values theory;
} measurement;

static attcert_status certify_clusters(measurement *m, const experiment *e, attcert_error *err) {
  double u[CLUSTERS_SIDE_MAX];
  cluster_norm(u, &m->worst.at, &e->head, false);
  return cluster_direction(&m->clusters, &m->worst.at, &e->head, u, err);
}

/* What `attcert worst` does, for sequences short enough. */
static attcert_status climb_freely(measurement *m, const experiment *e, attcert_error *err) {
  attcert_options options;
  attcert_certificate certificate;
  worst_result result = {0};
  const worst_options search = {.tokens = m->n, .radius = e->radius, .random = 4, .steps = 300};
  attcert_options_default(&options);
  options.threads = 1;
  attcert_certificate_init(&certificate);
  attcert_status status = worst_search(&result, &e->head, &search, &options, err);
  if (status == ATTCERT_OK) status = attcert_certify(&certificate, &e->head, &result.x, &options, err);
  if (status == ATTCERT_OK) mpfr_set(m->ascent, certificate.lower, MPFR_RNDD);
  m->climbed = status == ATTCERT_OK;
  worst_result_clear(&result);
  attcert_certificate_clear(&certificate);
  return status;
}

static attcert_status measure(measurement *m, const experiment *e, const cluster_worst *previous, attcert_error *err) {
  attcert_status status = cluster_search(&m->worst, &e->head, m->n, e->radius, previous, e->steps, err);
  if (status == ATTCERT_OK) status = certify_clusters(m, e, err);
  if (status == ATTCERT_OK && m->n <= e->ascent) status = climb_freely(m, e, err);
  if (status == ATTCERT_OK) status = ball_values_set(&m->theory, &e->head, m->n, e->radius, err);
  return status;
}

/* ---- a row ------------------------------------------------------------------------------------------------------- */

/* The larger of the two certified lower bounds. */
static mpfr_srcptr largest(const measurement *m) {
  return m->climbed && mpfr_greater_p(m->ascent, m->clusters.lo) ? m->ascent : m->clusters.lo;
}

static attcert_status check(const measurement *m, const experiment *e, attcert_error *err) {
  for (ball_value_id i = BALL_T1; i < BALL_COUNT; i++) {
    const ball_value *const b = &m->theory.bound[i];
    if (!b->available || i == BALL_T10) continue; /* T10 is about another A of this norm */
    /* T3 is attained by a start, so that the search has found no less, up to its own roundings. */
    const bool holds = b->lower ? mpfr_get_d(largest(m), MPFR_RNDU) >= mpfr_get_d(b->value.lo, MPFR_RNDD) * (1 - 1e-12)
                                : mpfr_lessequal_p(largest(m), b->value.hi) != 0;
    if (!holds)
      return attcert_fail(err, ATTCERT_NEGATIVE, "n = %d, radius %g: certified %.17g, against %s of %.17g", m->n,
                          e->radius, mpfr_get_d(largest(m), MPFR_RNDN), ball_value_name(i),
                          mpfr_get_d(b->value.hi, MPFR_RNDN));
  }
  return ATTCERT_OK;
}

static void print_names(FILE *out) {
  fputs("mask,R,n,lower,upper,ratio,upper_by,clusters,start,ascent", out);
  for (ball_value_id i = BALL_T1; i < BALL_COUNT; i++) fprintf(out, ",%s", ball_value_name(i));
  fputc('\n', out);
}

static void print_bound(FILE *out, const ball_value *b) {
  if (!b->available)
    csv_empty(out);
  else if (b->lower)
    csv_number(out, b->value.lo, MPFR_RNDD);
  else
    csv_number(out, b->value.hi, MPFR_RNDU);
}

static void print_row(FILE *out, const measurement *m, const experiment *e) {
  const ball_value_id smallest = ball_values_smallest(&m->theory);
  mpfr_srcptr upper = m->theory.bound[smallest].value.hi;
  fprintf(out, "%s,%.17g,%d", e->head.mask == ATTCERT_MASK_CAUSAL ? "causal" : "none", e->radius, m->n);
  csv_number(out, largest(m), MPFR_RNDD);
  csv_number(out, upper, MPFR_RNDU);
  csv_ratio(out, upper, largest(m), MPFR_RNDU);
  csv_text(out, ball_value_name(smallest));
  csv_number(out, m->clusters.lo, MPFR_RNDD);
  csv_text(out, m->worst.name);
  if (m->climbed)
    csv_number(out, m->ascent, MPFR_RNDD);
  else
    csv_empty(out);
  for (ball_value_id i = BALL_T1; i < BALL_COUNT; i++) print_bound(out, &m->theory.bound[i]);
  fputc('\n', out);
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

enum { OUTPUT = 1, WEIGHTS, MASK, RADIUS, STEPS, ASCENT, FIRST_N };

static attcert_status parse(experiment *e, char **word, attcert_error *err) {
  attcert_status status = weights_read(&e->head, NULL, word[WEIGHTS], 0, err);
  if (status == ATTCERT_OK) status = argument_mask(&e->head.mask, word[MASK], err);
  if (status == ATTCERT_OK) status = argument_positive(&e->radius, "R", word[RADIUS], err);
  if (status == ATTCERT_OK) status = argument_int(&e->steps, "STEPS", word[STEPS], 0, err);
  if (status == ATTCERT_OK) status = argument_int(&e->ascent, "ASCENT", word[ASCENT], 0, err);
  return status;
}

static attcert_status measure_all(FILE *out, const experiment *e, char **word, int count, attcert_error *err) {
  measurement m = {0};
  cluster_worst previous;
  attcert_status status = ATTCERT_OK;
  interval_init(&m.clusters, 53);
  mpfr_init2(m.ascent, 53);
  ball_values_init(&m.theory);
  print_names(out);
  for (int i = 0; i < count && status == ATTCERT_OK; i++) {
    m.climbed = false;
    status = argument_int(&m.n, "N", word[i], 1, err);
    if (status == ATTCERT_OK) status = measure(&m, e, i > 0 ? &previous : NULL, err);
    if (status == ATTCERT_OK) print_row(out, &m, e);
    if (status == ATTCERT_OK) status = check(&m, e, err);
    previous = m.worst;
  }
  ball_values_clear(&m.theory);
  mpfr_clear(m.ascent);
  interval_clear(&m.clusters);
  return status;
}

static attcert_status run(experiment *e, int argc, char **argv, attcert_error *err) {
  atomic_file file;
  attcert_status status = parse(e, argv, err);
  if (status == ATTCERT_OK) status = atomic_file_open(&file, argv[OUTPUT], err);
  if (status != ATTCERT_OK) return status;
  status = measure_all(file.stream, e, argv + FIRST_N, argc - FIRST_N, err);
  if (status == ATTCERT_OK) return atomic_file_commit(&file, err);
  atomic_file_discard(&file);
  return status;
}

int main(int argc, char **argv) {
  attcert_error err = {0};
  experiment e = {0};
  const attcert_status status =
      argc > FIRST_N ? run(&e, argc, argv, &err)
                     : attcert_fail(&err, ATTCERT_INPUT, "expected OUTPUT WEIGHTS none|causal R STEPS ASCENT N...");
  attcert_layer_clear(&e.head);
  return program_end("regimes", status, &err);
}
