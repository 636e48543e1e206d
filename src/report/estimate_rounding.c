#include "report/estimate_rounding.h"

#include "base/arrays.h"

#include <math.h>
#include <string.h>

const estimate_format estimate_formats[ESTIMATE_FORMATS] = {{"float64", 0x1p-53, 0x1p-53},
                                                            {"float32", 0x1p-24, 0x1p-24},
                                                            {"float16", 0x1p-11, 0x1p-24},
                                                            {"bfloat16", 0x1p-8, 0x1p-24}};

const estimate_format *estimate_format_named(const char *name) {
  for (int i = 0; name != NULL && i < ESTIMATE_FORMATS; i++) {
    if (strcmp(estimate_formats[i].name, name) == 0) return &estimate_formats[i];
  }
  return NULL;
}

static double dot(const double *a, const double *b, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/* to [n, H k]: row i is W x_i + bias. */
static void project(double *to, const attcert_matrix *x, const double *weight, const double *bias, int width) {
  for (int i = 0; i < x->rows; i++) {
    for (int r = 0; r < width; r++) {
      const double product = dot(weight + (size_t)r * (size_t)x->cols, x->data + (size_t)i * (size_t)x->cols, x->cols);
      to[(size_t)i * (size_t)width + (size_t)r] = product + (bias != NULL ? bias[r] : 0.0);
    }
  }
}

/* max |q_i . k_j| / sqrt(k) over the keys that a token attends to, in double; infinite where that is no number. */
static double largest_score(const attcert_layer *layer, const double *q, const double *k, int n) {
  const size_t width = (size_t)layer->heads * (size_t)layer->head_dim;
  double largest = 0.0;
  for (int i = 0; i < n; i++) {
    const int keys = layer->mask == ATTCERT_MASK_CAUSAL ? i + 1 : n;
    for (int at = 0; at < keys * layer->heads; at++) {
      const size_t from = (size_t)(at % layer->heads) * (size_t)layer->head_dim;
      const double score =
          fabs(dot(q + (size_t)i * width + from, k + (size_t)(at / layer->heads) * width + from, layer->head_dim));
      if (!(score <= largest)) largest = isfinite(score) ? score : INFINITY;
    }
  }
  return largest / sqrt(layer->head_dim);
}

attcert_status estimate_rounding(double rounding[ESTIMATE_FORMATS], const attcert_layer *layer, const attcert_matrix *x,
                                 attcert_error *err) {
  enum { STORED = 8 };
  const int width = layer->heads * layer->head_dim, n = x->rows;
  const double summed = (double)layer->dim + layer->head_dim + n + width;
  double *q = NULL, *k = NULL;
  const array_table arrays = {{ARRAY(q, (size_t)n, (size_t)width), ARRAY(k, (size_t)n, (size_t)width)}};
  const attcert_status status = array_table_allocate(&arrays, err, "the scores of %d tokens", n);
  if (status != ATTCERT_OK) return status;
  project(q, x, layer->query_weight, layer->query_bias, width);
  project(k, x, layer->key_weight, layer->key_bias, width);
  const double growth = 1.0 + largest_score(layer, q, k, n);
  for (int i = 0; i < ESTIMATE_FORMATS; i++) {
    const double u = estimate_formats[i].stored, a = estimate_formats[i].summed;
    rounding[i] = fmin(1.0, growth * sqrt(summed * a * a + STORED * u * u));
  }
  array_table_release(&arrays);
  return ATTCERT_OK;
}
