#include "randomized/randomized_norm.h"

#include "base/arrays.h"
#include "linalg/rounding/norm_lower.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A vector of (0 A; A^T 0): rows entries, which A maps to, then cols. */
typedef struct {
  const randomized_matrix *a;
  double *left, *right; /* [RANDOMIZED_STARTS_MOST][rows], [..][cols] */
  attcert_status status;
  attcert_error *err;
} augmented;

static array_table arrays_of(augmented *g, size_t rows, size_t cols) {
  return (array_table){{ARRAY(g->left, RANDOMIZED_STARTS_MOST, rows), ARRAY(g->right, RANDOMIZED_STARTS_MOST, cols)}};
}

uint64_t randomized_norm_bytes(size_t rows, size_t cols) {
  augmented g;
  const array_table arrays = arrays_of(&g, rows, cols);
  return array_table_bytes(&arrays) + randomized_upper_bytes(rows + cols) + (rows + cols) * sizeof(double);
}

/* y = A x, or A^T x, of `count` vectors; after a failure 0. */
static void multiply(augmented *g, double *y, const double *x, int count, bool transposed) {
  const randomized_matrix *const a = g->a;
  const size_t entries = (size_t)count * (transposed ? a->cols : a->rows);
  if (g->status == ATTCERT_OK && a->product(a->context, y, x, (size_t)count, transposed) != 0)
    g->status = attcert_fail(g->err, ATTCERT_CANCELLED, "a product with the matrix ended the run");
  for (size_t i = 0; g->status == ATTCERT_OK && i < entries; i++) {
    if (!isfinite(y[i]))
      g->status =
          attcert_fail(g->err, ATTCERT_INPUT, "a product with the matrix holds %g, expected finite numbers", y[i]);
  }
  if (g->status != ATTCERT_OK) memset(y, 0, entries * sizeof *y);
}

/* The part of `count` vectors of `length` that begins at `first` in each, next to each other. */
static void gather(double *part, const double *x, size_t length, size_t first, size_t size, int count) {
  for (int b = 0; b < count; b++) memcpy(part + (size_t)b * size, x + (size_t)b * length + first, size * sizeof *part);
}

static void scatter(double *x, const double *part, size_t length, size_t first, size_t size, int count) {
  for (int b = 0; b < count; b++) memcpy(x + (size_t)b * length + first, part + (size_t)b * size, size * sizeof *part);
}

static void apply(void *context, double *y, const double *x, int count) {
  augmented *const g = context;
  const size_t rows = g->a->rows, cols = g->a->cols, length = rows + cols;
  gather(g->right, x, length, rows, cols, count);
  multiply(g, g->left, g->right, count, false);
  scatter(y, g->left, length, 0, rows, count);
  gather(g->left, x, length, 0, rows, count);
  multiply(g, g->right, g->left, count, true);
  scatter(y, g->right, length, rows, cols, count);
}

static double along(augmented *g, const double *v) {
  multiply(g, g->left, v, 1, false);
  return norm_lower_along(g->left, g->a->rows, g->a->error, v, g->a->cols);
}

attcert_status randomized_norm(double *lower, double *direction, randomized_answer *answer, const randomized_matrix *a,
                               randomized_question *question, attcert_error *err) {
  augmented g = {.a = a, .status = ATTCERT_OK, .err = err};
  double *vector = NULL;
  array_table arrays = arrays_of(&g, a->rows, a->cols);
  const randomized_operator op = {
      .length = a->rows + a->cols, .apply = apply, .context = &g, .error = a->error, .threads = 1};
  randomized_question asked = *question;
  asked.width = sqrt(1.0 + question->width) - 1.0; /* of a square root there */
  *lower = 0.0;
  *answer = (randomized_answer){.upper = INFINITY};
  attcert_status status = array_table_allocate(&arrays, err, "vectors for a norm");
  if (status == ATTCERT_OK) vector = array_new(op.length, sizeof *vector, err, "a Ritz vector");
  if (vector == NULL) status = ATTCERT_RESOURCE;
  if (status == ATTCERT_OK) status = randomized_upper(answer, vector, &op, &asked, err);
  if (status == ATTCERT_OK) *lower = along(&g, vector + a->rows);
  if (status == ATTCERT_OK && direction != NULL) memcpy(direction, vector + a->rows, a->cols * sizeof *vector);
  if (status == ATTCERT_OK) status = g.status;
  if (status != ATTCERT_OK) {
    *lower = 0.0;
    answer->upper = INFINITY;
  }
  free(vector);
  array_table_release(&arrays);
  return status;
}
