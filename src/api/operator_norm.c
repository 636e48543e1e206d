/* The norm of a caller's operator. */
#include "attcert.h"
#include "base/byte_text.h"
#include "base/environment.h"
#include "certify/plan.h"
#include "randomized/randomized_norm.h"
#include "randomized/randomized_start.h"

#include <math.h>

static const double DEFAULT_WIDTH = 1e-2;

static attcert_status check(const randomized_matrix *a, const attcert_options *options, attcert_error *err) {
  const attcert_status status = attcert_options_check(options, err);
  if (status != ATTCERT_OK) return status;
  if (a->rows < 1 || a->cols < 1 || a->rows > INT32_MAX - a->cols)
    return attcert_fail(err, ATTCERT_INPUT, "matrix: %zu x %zu, expected sides from 1 on, of less than 2^31 together",
                        a->rows, a->cols);
  if (a->product == NULL) return attcert_fail(err, ATTCERT_INPUT, "product: NULL, expected a function");
  if (!(a->error >= 0.0) || isinf(a->error))
    return attcert_fail(err, ATTCERT_INPUT, "error: %g, expected a finite number >= 0", a->error);
  if (options->failure == 0.0)
    return attcert_fail(err, ATTCERT_INPUT, "failure: 0, expected a probability to fail with");
  const uint64_t bytes = randomized_norm_bytes(a->rows, a->cols), memory = plan_memory(options);
  char needed[BYTE_TEXT_SIZE], limit[BYTE_TEXT_SIZE];
  if (bytes <= memory) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE, "the norm of a %zu x %zu matrix needs %s, %s may be used", a->rows,
                      a->cols, byte_text(needed, bytes), byte_text(limit, memory));
}

static attcert_status enclose(double *lower, double *upper, const randomized_matrix *a, const attcert_options *options,
                              attcert_error *err) {
  attcert_status status = check(a, options, err);
  if (status != ATTCERT_OK) return status;
  const double width = options->tolerance > 0.0 ? options->tolerance : DEFAULT_WIDTH;
  randomized_question question = {.failure_log2 = randomized_failure_log2(options->failure),
                                  .width = 0.5 * width, /* of the estimate, which the lower end is below */
                                  .bits = {.seeded = options->seeded, .seed = options->seed},
                                  .options = options};
  randomized_answer answer;
  status = randomized_norm(lower, NULL, &answer, a, &question, err);
  *upper = answer.upper;
  if (status != ATTCERT_OK || options->tolerance <= 0.0 || *upper <= *lower * (1.0 + options->tolerance)) return status;
  return attcert_fail(err, ATTCERT_NEGATIVE, "tolerance: the upper end is %.3g above the lower one, relatively",
                      *upper / *lower - 1.0);
}

attcert_status attcert_operator_norm(double *lower, double *upper, size_t rows, size_t cols, attcert_product product,
                                     void *context, double error, const attcert_options *options, attcert_error *err) {
  const randomized_matrix a = {.rows = rows, .cols = cols, .product = product, .context = context, .error = error};
  attcert_options defaults;
  environment before;
  if (lower == NULL || upper == NULL) return attcert_fail(err, ATTCERT_INPUT, "end: NULL, expected one to write to");
  *lower = 0.0;
  *upper = INFINITY;
  attcert_options_default(&defaults);
  const attcert_status entered = environment_enter(&before, err);
  return environment_leave(
      &before, entered != ATTCERT_OK ? entered : enclose(lower, upper, &a, options != NULL ? options : &defaults, err));
}
