#include "network/step_lower.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "linalg/rounding/upward.h"
#include "network/step.h"

#include <stdlib.h>
#include <string.h>

void step_lower_add(double *sum, double term) {
  *sum = range_add_down(*sum, term);
}

double step_lower_dot(const double *a, const double *b, size_t n, double factor) {
  double sum = 0.0, size = 0.0;
  for (size_t k = 0; k < n; k++) {
    sum += a[k] * b[k];
    size += fabs(a[k] * b[k]);
  }
  const double missed = upward_mul(gamma_upper((double)n + 1.0), round_up_nonnegative(size, (double)n));
  return range_sub_down(factor * sum, upward_add(missed, (double)n * UNDERFLOW_UNIT));
}

/* ---- affine steps ------------------------------------------------------------------------------------------------ */

static attcert_status linearize(step_linear *linear, const step_lower *l, const step *s, attcert_error *err) {
  enum { BITS = 80 };
  step_enclosure shape[STEP_MAX_INPUTS];
  const step_enclosure *in[STEP_MAX_INPUTS];
  step_scratch scratch;
  *linear = (step_linear){.step = s, .inputs = s->inputs, .threads = parallel_threads(0)};
  for (int k = 0; k < s->inputs; k++) {
    shape[k] = (step_enclosure){.rows = l->in[k]->rows, .cols = l->in[k]->cols}; /* no entry counts: it is affine */
    in[k] = &shape[k];
    linear->rows[k] = shape[k].rows;
    linear->cols[k] = shape[k].cols;
  }
  step_scratch_init(&scratch, BITS);
  const attcert_status status = s->kind->linearize(linear, in, &scratch, err);
  step_scratch_clear(&scratch);
  return status;
}

/* y := the step of zeros. */
static attcert_status value_at_zeros(attcert_matrix *y, const step_lower *l, const step *s, attcert_error *err) {
  attcert_matrix zero[STEP_MAX_INPUTS] = {0};
  const attcert_matrix *in[STEP_MAX_INPUTS];
  attcert_status status = attcert_matrix_init(y, s->rows, s->cols, err);
  for (int k = 0; k < s->inputs && status == ATTCERT_OK; k++) {
    in[k] = &zero[k];
    status = attcert_matrix_init(&zero[k], l->in[k]->rows, l->in[k]->cols, err);
  }
  if (status == ATTCERT_OK) status = s->kind->value(y, s, in, err);
  for (int k = 0; k < s->inputs; k++) attcert_matrix_clear(&zero[k]);
  return status;
}

/* A double >= ||x||_2 over the ball. */
static double longest(const form *f) {
  double squares = 0.0;
  for (int i = 0; i < f->rows; i++) {
    for (int c = 0; c < f->cols; c++) {
      const double most = step_execution_size(f, i, c);
      squares += most * most;
    }
  }
  const double terms = 2.0 * f->rows * f->cols;
  return round_up_nonnegative(sqrt(round_up_nonnegative(squares, terms)), 1.0);
}

static attcert_status find_kept(step_lower_kept *kept, const step_lower *l, const step *s, attcert_error *err) {
  if (kept->offset.data != NULL) return ATTCERT_OK;
  attcert_status status = linearize(&kept->linear, l, s, err);
  for (int k = 0; k < s->inputs && status == ATTCERT_OK; k++) {
    const double relative = upward_add(kept->linear.size[k].pulled, kept->linear.size[k].missed);
    kept->error = upward_add(kept->error, upward_mul(relative, longest(l->in[k])));
  }
  return status == ATTCERT_OK ? value_at_zeros(&kept->offset, l, s, err) : status;
}

void step_lower_kept_clear(step_lower_kept *kept) {
  free(kept->linear.number);
  attcert_matrix_clear(&kept->offset);
  *kept = (step_lower_kept){0};
}

/* y = D x + y_0: w_k = D_k^T w, off by (pulled + missed) ||w|| in norm, but for what underflows: fewer than 2^60
 * products, each off by less than 2^-1074, times |x| < 2^302. */
attcert_status step_lower_affine(step_lower *l, const step *s, attcert_error *err) {
  step_lower_kept *const kept = l->kept;
  const size_t entries = (size_t)s->rows * (size_t)s->cols;
  attcert_status status = find_kept(kept, l, s, err);
  if (status != ATTCERT_OK) return status;
  double *const scratch = array_new((size_t)l->count * kept->linear.scratch + 1, sizeof *scratch, err, "products");
  if (scratch == NULL) return ATTCERT_RESOURCE;
  s->kind->pull(l->to, &kept->linear, l->from, l->count, scratch);
  for (int b = 0; b < l->count; b++) {
    const double *const w = l->from + (size_t)b * entries;
    step_lower_add(&l->constant[b], step_lower_dot(w, kept->offset.data, entries, 1.0));
    step_lower_add(&l->constant[b], -upward_add(upward_mul(kept->error, norm_upper(w, entries)), UNDERFLOW_ALLOWANCE));
  }
  free(scratch);
  return ATTCERT_OK;
}
