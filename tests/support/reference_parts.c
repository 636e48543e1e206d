#include "reference_parts.h"

#include <math.h>
#include <stddef.h>

enum { MOST = REFERENCE_TOKENS * REFERENCE_WIDTH };

void reference_apply(long double *y, const long double *x, int n, affine a, int out, int in) {
  for (int t = 0; t < n; t++) {
    for (int o = 0; o < out; o++) {
      long double sum = a.bias != NULL ? a.bias[o] : 0;
      for (int i = 0; i < in; i++) sum += a.weight[o * a.out_stride + i * a.in_stride] * x[t * in + i];
      y[t * out + o] = sum;
    }
  }
}

void reference_layer_norm(long double *x, int n, int d, const double *gamma, const double *beta, double epsilon) {
  for (int t = 0; t < n; t++) {
    long double mean = 0, variance = 0;
    for (int i = 0; i < d; i++) mean += x[t * d + i] / d;
    for (int i = 0; i < d; i++) variance += (x[t * d + i] - mean) * (x[t * d + i] - mean) / d;
    for (int i = 0; i < d; i++) x[t * d + i] = gamma[i] * (x[t * d + i] - mean) / sqrtl(variance + epsilon) + beta[i];
  }
}

/* Token i of head h attends to tokens first .. attended - 1. */
static void attend_token(long double *y, const long double *q, const long double *k, const long double *v, int i, int h,
                         const reference_attention *a, int first, int attended) {
  const int d = a->dim, width = a->dim / a->heads;
  long double weight[REFERENCE_TOKENS], total = 0;
  for (int j = first; j < attended; j++) {
    long double score = 0;
    for (int r = 0; r < width; r++) score += q[i * d + h * width + r] * k[j * d + h * width + r];
    weight[j] = expl(score * a->scale);
    total += weight[j];
  }
  for (int r = 0; r < width; r++) {
    y[i * d + h * width + r] = 0;
    for (int j = first; j < attended; j++) y[i * d + h * width + r] += weight[j] / total * v[j * d + h * width + r];
  }
}

void reference_attend(long double *y, const long double *x, int n, const reference_attention *a) {
  long double q[MOST], k[MOST], v[MOST], mixed[MOST];
  const int d = a->dim;
  reference_apply(q, x, n, a->map[0], d, d);
  reference_apply(k, x, n, a->map[1], d, d);
  reference_apply(v, x, n, a->map[2], d, d);
  for (int i = 0; i < n; i++) {
    const int first = i + 1 > a->window ? i + 1 - a->window : 0;
    for (int h = 0; h < a->heads; h++) attend_token(mixed, q, k, v, i, h, a, first, a->causal ? i + 1 : n);
  }
  reference_apply(y, mixed, n, a->map[3], d, d);
}

long double reference_gelu(long double x) {
  return x * (1 + erfl(x / sqrtl(2))) / 2;
}

long double reference_gelu_tanh(long double x) {
  return x * (1 + tanhl(sqrtl(2 / acosl(-1)) * (x + 0.044715L * x * x * x))) / 2;
}

long double reference_relu(long double x) {
  return x > 0 ? x : 0;
}

void reference_feed_forward(long double *y, const long double *x, int n, int d, int width, affine up, affine down,
                            reference_curve *curve) {
  long double hidden[MOST];
  reference_apply(hidden, x, n, up, width, d);
  for (int i = 0; i < n * width; i++) hidden[i] = curve(hidden[i]);
  reference_apply(y, hidden, n, down, d, width);
}

void reference_add(long double *x, const long double *y, int count) {
  for (int i = 0; i < count; i++) x[i] += y[i];
}

void reference_add_rows(long double *x, const double *table, const int *index, int n, int d) {
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < d; i++) x[t * d + i] += table[index[t] * d + i];
  }
}
