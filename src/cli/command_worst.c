/* attcert worst: the largest local Lipschitz constant found in B_R^n, certified: a lower bound of Lip(f | B_R^n). */
#include "cli/commands.h"
#include "cli/job.h"
#include "report/number_text.h"
#include "search/worst_search.h"
#include "theory/theory_refuted.h"
#include "theory/token_ball.h"

/* The input that the search found, proved to be in the ball, becomes the job's. */
static attcert_status find_input(worst_result *result, double *norm, job *j, const worst_options *search,
                                 attcert_error *err) {
  const attcert_status status = worst_search(result, &j->source.layer, search, &j->run.options, err);
  if (job_ended(j, status) != ATTCERT_OK) return status;
  *norm = token_ball_radius(&result->x, NULL);
  if (*norm <= search->radius)
    return layer_source_set_input(&j->source, &result->x, "the worst found in the ball", err);
  return attcert_fail(err, ATTCERT_NEGATIVE, "a token of length %.17g was found, expected at most %.17g", *norm,
                      search->radius);
}

/* A lower end above a bound of the theory means that one of the two is wrong. */
static attcert_status check_theory(const job *j, double radius, attcert_error *err) {
  char lower[NUMBER_TEXT_SIZE], upper[NUMBER_TEXT_SIZE];
  const theory_bound *const bound = theory_refuted(&j->run.bounds, j->run.certificate.lower);
  if (bound == NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_NEGATIVE, "ball of radius %.17g: the certified lower end %s exceeds %s, which is %s",
                      radius, number_text_end(lower, j->run.certificate.lower, MPFR_RNDD), bound->id,
                      number_text_end(upper, bound->value, MPFR_RNDU));
}

static attcert_status certify_input(job *j, const report_worst *worst, const cli_options *options, attcert_error *err) {
  const double radius = worst->search->radius;
  j->worst = worst;
  attcert_status status = job_ended(j, run_layer_certify(&j->run, err));
  if (status == ATTCERT_OK) status = job_add_bounds_if_possible(j, radius, err);
  if (status == ATTCERT_OK) status = job_report(j, options, command_worst.name, NULL, err);
  if (status == ATTCERT_OK && j->run.has_bounds) status = check_theory(j, radius, err);
  return status == ATTCERT_OK ? run_layer_verdict(&j->run, err) : status;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  job j;
  worst_result result = {0};
  const worst_options search = {.tokens = options->tokens,
                                .radius = options->radius_of_inputs,
                                .random = options->starts,
                                .steps = options->steps,
                                .seed = options->seed_of_starts};
  report_worst worst = {.search = &search, .result = &result};
  attcert_status status = job_open(&j, options, err);
  if (status == ATTCERT_OK) status = find_input(&result, &worst.token_ball_radius, &j, &search, err);
  if (status == ATTCERT_OK) status = certify_input(&j, &worst, options, err);
  worst_result_clear(&result);
  job_clear(&j);
  return status;
}

const cli_command command_worst = {
    .name = "worst",
    .summary = "find the worst input in a ball, and certify it",
    .groups =
        OPTIONS_MODEL | OPTIONS_MASK | OPTIONS_WEIGHTS | OPTIONS_RUN | OPTIONS_WORST | OPTIONS_REPORT | OPTIONS_SAVE,
    .required = {OPTION_TOKENS, OPTION_RADIUS_OF_INPUTS},
    .run = run,
};
