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

void reference_rms_norm(long double *x, int n, int d, const double *gamma, double epsilon) {
  for (int t = 0; t < n; t++) {
    long double square = 0;
    for (int i = 0; i < d; i++) square += x[t * d + i] * x[t * d + i] / d;
    for (int i = 0; i < d; i++) x[t * d + i] *= gamma[i] / sqrtl(square + epsilon);
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

static int key_heads(const reference_attention *a) {
  return a->key_heads > 0 ? a->key_heads : a->heads;
}

/* Entries m and m + width / 2 of each head of token i by the angle i theta^(-2m / width). */
static void rotate(long double *x, int n, int heads, int width, double theta) {
  for (int i = 0; i < n; i++) {
    for (int m = 0; m < heads * width / 2; m++) {
      const int pair = m % (width / 2);
      long double *const at = x + (i * heads + m / (width / 2)) * width + pair, first = at[0], second = at[width / 2];
      const long double angle = i * powl(theta, -2.0L * pair / width);
      at[0] = cosl(angle) * first - sinl(angle) * second;
      at[width / 2] = sinl(angle) * first + cosl(angle) * second;
    }
  }
}

/* Token i of head h attends to tokens first .. attended - 1. */
static void attend_token(long double *y, const long double *q, const long double *k, const long double *v, int i, int h,
                         const reference_attention *a, int first, int attended) {
  const int d = a->dim, width = a->dim / a->heads, keys = key_heads(a) * width;
  const int g = h / (a->heads / key_heads(a));
  long double weight[REFERENCE_TOKENS], total = 0;
  for (int j = first; j < attended; j++) {
    long double score = 0;
    for (int r = 0; r < width; r++) score += q[i * d + h * width + r] * k[j * keys + g * width + r];
    weight[j] = expl(score * a->scale);
    total += weight[j];
  }
  for (int r = 0; r < width; r++) {
    y[i * d + h * width + r] = 0;
    for (int j = first; j < attended; j++) y[i * d + h * width + r] += weight[j] / total * v[j * keys + g * width + r];
  }
}

void reference_attend(long double *y, const long double *x, int n, const reference_attention *a) {
  long double q[MOST], k[MOST], v[MOST], mixed[MOST];
  const int d = a->dim, width = d / a->heads, keys = key_heads(a) * width;
  reference_apply(q, x, n, a->map[0], d, d);
  reference_apply(k, x, n, a->map[1], keys, d);
  reference_apply(v, x, n, a->map[2], keys, d);
  if (a->rotary > 0) {
    rotate(q, n, a->heads, width, a->rotary);
    rotate(k, n, key_heads(a), width, a->rotary);
  }
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

long double reference_silu(long double x) {
  return x / (1 + expl(-x));
}

void reference_gated(long double *y, const long double *x, int n, int d, int width, affine gate, affine up, affine down,
                     reference_curve *curve) {
  long double hidden[MOST], other[MOST];
  reference_apply(hidden, x, n, gate, width, d);
  reference_apply(other, x, n, up, width, d);
  for (int i = 0; i < n * width; i++) hidden[i] = curve(hidden[i]) * other[i];
  reference_apply(y, hidden, n, down, d, width);
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
