#include "long_attention.h"

#include <math.h>
#include <stddef.h>

/* (W x_i + b)_row */
static long double projection(const double *weight, const double *bias, const long double *x, int i, int row, int d) {
  long double sum = bias ? bias[row] : 0;
  for (int c = 0; c < d; c++) sum += (long double)weight[row * d + c] * x[i * d + c];
  return sum;
}

static long double score(const attcert_layer *l, const long double *x, int h, int i, int j) {
  const int k = l->head_dim;
  long double sum = 0;
  for (int row = h * k; row < (h + 1) * k; row++)
    sum += projection(l->query_weight, l->query_bias, x, i, row, l->dim) *
           projection(l->key_weight, l->key_bias, x, j, row, l->dim);
  return sum / sqrtl(k);
}

/* 1 / sum_m exp(s_im - s_ij): no shift is needed, and a vanishing weight is 1 / infinity. */
long double long_attention_weight(const attcert_layer *layer, const long double *x, int n, int h, int i, int j) {
  const int attended = layer->mask == ATTCERT_MASK_CAUSAL ? i + 1 : n;
  if (j >= attended) return 0;
  const long double own = score(layer, x, h, i, j);
  long double sum = 0;
  for (int m = 0; m < attended; m++) sum += expl(score(layer, x, h, i, m) - own);
  return 1 / sum;
}

/* Column `row` of the heads side by side: entry row mod k of head row / k. */
static long double head_output(const attcert_layer *l, const long double *x, int n, int i, int row) {
  long double sum = 0;
  for (int j = 0; j < n; j++)
    sum += long_attention_weight(l, x, n, row / l->head_dim, i, j) *
           projection(l->value_weight, l->value_bias, x, j, row, l->dim);
  return sum;
}

void long_attention(long double *out, const attcert_layer *layer, const long double *x, int n) {
  const int width = layer->heads * layer->head_dim, out_dim = layer->out_dim;
  for (int i = 0; i < n; i++) {
    for (int r = 0; r < out_dim; r++) {
      if (!layer->output_weight) {
        out[i * out_dim + r] = head_output(layer, x, n, i, r);
        continue;
      }
      long double sum = layer->output_bias ? layer->output_bias[r] : 0;
      for (int c = 0; c < width; c++)
        sum += (long double)layer->output_weight[r * width + c] * head_output(layer, x, n, i, c);
      out[i * out_dim + r] = sum;
    }
  }
}

void long_layernorm(long double *out, const long double *x, const double *gamma, const double *beta, double eps,
                    int d) {
  long double mean = 0, variance = 0;
  for (int a = 0; a < d; a++) mean += x[a] / d;
  for (int a = 0; a < d; a++) variance += (x[a] - mean) * (x[a] - mean) / d;
  for (int a = 0; a < d; a++) out[a] = (long double)gamma[a] * (x[a] - mean) / sqrtl(variance + eps) + beta[a];
}
