#include "report/estimate_rounding.h"

#include "base/arrays.h"
#include "kernel/linear/matrix.h"
#include "kernel/row/attended_keys.h"
#include "kernel/row/attention_row.h"

#include <math.h>

/* max |q_i . k_j| / sqrt(k) over the keys that a token attends to, in double; infinite where that is no number. */
static double largest_score(const attcert_layer *layer, const double *q, const double *k, int n) {
  const size_t width = (size_t)layer->heads * (size_t)layer->head_dim;
  const double root = sqrt(layer->head_dim);
  double largest = 0.0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < attended_keys(layer->mask, i, n); j++) {
      for (size_t from = 0; from < width; from += (size_t)layer->head_dim) {
        double score;
        attention_scores(&score, q + (size_t)i * width + from, k + (size_t)j * width + from, root, 1, layer->head_dim);
        if (!(fabs(score) <= largest)) largest = isfinite(score) ? fabs(score) : INFINITY;
      }
    }
  }
  return largest;
}

attcert_status estimate_rounding(double rounding[FLOAT_FORMATS], const attcert_layer *layer, const attcert_matrix *x,
                                 attcert_error *err) {
  enum { STORED = 8 };
  const int width = layer->heads * layer->head_dim, n = x->rows;
  const double summed = (double)layer->dim + layer->head_dim + n + width;
  double *q = NULL, *k = NULL;
  const array_table arrays = {{ARRAY(q, (size_t)n, (size_t)width), ARRAY(k, (size_t)n, (size_t)width)}};
  const attcert_status status = array_table_allocate(&arrays, err, "the scores of %d tokens", n);
  if (status != ATTCERT_OK) return status;
  affine_rows(q, layer->query_weight, layer->query_bias, x->data, n, width, layer->dim);
  affine_rows(k, layer->key_weight, layer->key_bias, x->data, n, width, layer->dim);
  const double growth = 1.0 + largest_score(layer, q, k, n);
  for (int i = 0; i < FLOAT_FORMATS; i++) {
    const double u = float_formats[i].store.unit, a = float_formats[i].compute.unit;
    rounding[i] = fmin(1.0, growth * sqrt(summed * a * a + STORED * u * u));
  }
  array_table_release(&arrays);
  return ATTCERT_OK;
}
