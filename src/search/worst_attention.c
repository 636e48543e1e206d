#include "search/worst_attention.h"

#include "base/arrays.h"
#include "kernel/row/attended_keys.h"
#include "kernel/row/softmax.h"
#include "search/worst_products.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static array_table arrays_of(worst_attention *a, size_t heads, size_t n, size_t k) {
  return (array_table){{
      ARRAY(a->at.query, n, heads, k),
      ARRAY(a->at.key, n, heads, k),
      ARRAY(a->at.value, n, heads, k),
      ARRAY(a->weights, heads, n, n),
      ARRAY(a->along.query, n, heads, k),
      ARRAY(a->along.key, n, heads, k),
      ARRAY(a->along.value, n, heads, k),
      ARRAY(a->cotangent.query, n, heads, k),
      ARRAY(a->cotangent.key, n, heads, k),
      ARRAY(a->cotangent.value, n, heads, k),
      ARRAY(a->channels, n, heads, k),
      ARRAY(a->square[0], n, n),
      ARRAY(a->square[1], n, n),
      ARRAY(a->square[2], n, n),
  }};
}

uint64_t worst_attention_bytes(const attcert_layer *layer, int n) {
  worst_attention a;
  const array_table arrays = arrays_of(&a, (size_t)layer->heads, (size_t)n, (size_t)layer->head_dim);
  return array_table_bytes(&arrays);
}

attcert_status worst_attention_init(worst_attention *a, const attcert_layer *layer, int n, attcert_error *err) {
  *a = (worst_attention){.layer = layer, .n = n, .root = sqrt((double)layer->head_dim), .scale = 1.0};
  const array_table arrays = arrays_of(a, (size_t)layer->heads, (size_t)n, (size_t)layer->head_dim);
  return array_table_allocate(&arrays, err, "attention of %d tokens", n);
}

void worst_attention_clear(worst_attention *a) {
  const array_table arrays = arrays_of(a, 0, 0, 0);
  array_table_release(&arrays);
  *a = (worst_attention){0};
}

/* ---- the layer at x ---------------------------------------------------------------------------------------------- */

/* b_K adds a constant to each row of scores, and b_V one to every value: neither changes P or a derivative. */
static void add_query_bias(worst_attention *a) {
  const double *const bias = a->layer->query_bias;
  const int width = a->layer->heads * a->layer->head_dim;
  for (int i = 0; bias != NULL && i < a->n; i++)
    cblas_daxpy(width, 1.0, bias, 1, a->at.query + (size_t)i * (size_t)width, 1);
}

void worst_attention_evaluate(worst_attention *a, const double *x) {
  worst_project(&a->at, a, x);
  add_query_bias(a);
  for (int h = 0; h < a->layer->heads; h++) {
    double *const p = worst_weights(a, h);
    worst_multiply(worst_square(a, p), 1.0 / a->root, worst_head(a, a->at.query, h),
                   worst_transpose(worst_head(a, a->at.key, h)), 0.0);
    for (int i = 0; i < a->n; i++) {
      const int attended = attended_keys(a->layer->mask, i, a->n);
      double *const row = p + (size_t)i * (size_t)a->n;
      softmax_row(row, attended);
      memset(row + attended, 0, (size_t)(a->n - attended) * sizeof(double));
    }
  }
}

/* ---- the Jacobian ------------------------------------------------------------------------------------------------ */

/* y (n x out_dim) := J u / scale. */
static void apply_forward(const worst_attention *a, double *y, const double *u) {
  double *const s = a->square[0];
  worst_project(&a->along, a, u);
  for (int h = 0; h < a->layer->heads; h++) {
    const worst_factor p = worst_square(a, worst_weights(a, h));
    worst_score_derivative(s, a, h);
    worst_softmax_derivative(s, a, s, h);
    worst_multiply(worst_head(a, a->channels, h), 1.0, p, worst_head(a, a->along.value, h), 0.0);
    worst_multiply(worst_head(a, a->channels, h), 1.0, worst_square(a, s), worst_head(a, a->at.value, h), 1.0);
  }
  worst_join_output(y, a);
  cblas_dscal(a->n * a->layer->out_dim, 1.0 / a->scale, y, 1);
}

/* u (n x d) := J^T y / scale: every product above, transposed, in reverse. */
static void apply_transposed(const worst_attention *a, double *u, const double *y) {
  double *const s = a->square[0];
  worst_split_output(a, y);
  for (int h = 0; h < a->layer->heads; h++) {
    const worst_factor p = worst_square(a, worst_weights(a, h)), c = worst_head(a, a->channels, h);
    worst_weight_cotangent(s, a, h);
    worst_softmax_derivative(s, a, s, h);
    const worst_factor ds = worst_square(a, s);
    const worst_factor query = worst_head(a, a->at.query, h), key = worst_head(a, a->at.key, h);
    worst_multiply(worst_head(a, a->along.query, h), 1.0 / a->root, ds, key, 0.0);
    worst_multiply(worst_head(a, a->along.key, h), 1.0 / a->root, worst_transpose(ds), query, 0.0);
    worst_multiply(worst_head(a, a->along.value, h), 1.0, worst_transpose(p), c, 0.0);
  }
  worst_pull_back(u, a, &a->along);
  cblas_dscal(a->n * a->layer->dim, 1.0 / a->scale, u, 1);
}

static void apply_jacobian(const void *context, double *y, const double *x, bool transpose) {
  const worst_attention *const a = context;
  if (transpose)
    apply_transposed(a, y, x);
  else
    apply_forward(a, y, x);
}

linear_operator worst_attention_jacobian(const worst_attention *a) {
  return (linear_operator){a->n * a->layer->out_dim, a->n * a->layer->dim, apply_jacobian, a};
}
