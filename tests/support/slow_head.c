#include "slow_head.h"

#include "kernel/row/attended_keys.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static long double *zeros(size_t count) {
  long double *const a = calloc(count > 0 ? count : 1, sizeof *a);
  if (a == NULL) abort();
  return a;
}

long double slow_dot(const long double *a, const long double *b, size_t count) {
  long double sum = 0;
  for (size_t i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

long double slow_norm(const long double *a, size_t count) {
  return sqrtl(slow_dot(a, a, count));
}

long double slow_matrix_norm(const long double *a, int rows, int cols) {
  long double *const x = zeros((size_t)cols), *const y = zeros((size_t)rows), norm = 0;
  for (int c = 0; c < cols; c++) x[c] = 1.0L + 0.3L * (long double)(c % 5) - 0.7L * (long double)(c % 2);
  for (int step = 0; step < 400; step++) {
    const long double length = slow_norm(x, (size_t)cols);
    for (int c = 0; c < cols; c++) x[c] = length > 0 ? x[c] / length : 0;
    for (int r = 0; r < rows; r++) y[r] = slow_dot(a + (size_t)r * (size_t)cols, x, (size_t)cols);
    norm = slow_norm(y, (size_t)rows);
    for (int c = 0; c < cols; c++) {
      x[c] = 0;
      for (int r = 0; r < rows; r++) x[c] += a[(size_t)r * (size_t)cols + (size_t)c] * y[r];
    }
  }
  free(x);
  free(y);
  return norm;
}

/* out (n x k) := x W^T + b for the head's rows. */
static long double *project(const attcert_layer *l, const double *weight, const double *bias, int h,
                            const long double *x, int n) {
  const size_t k = (size_t)l->head_dim, d = (size_t)l->dim;
  long double *const out = zeros((size_t)n * k);
  for (size_t i = 0; i < (size_t)n; i++) {
    for (size_t r = 0; r < k; r++) {
      const size_t row = (size_t)h * k + r;
      out[i * k + r] = bias != NULL ? bias[row] : 0;
      for (size_t c = 0; c < d; c++) out[i * k + r] += (long double)weight[row * d + c] * x[i * d + c];
    }
  }
  return out;
}

/* out (n x d) := z W / sqrt(k) for the head's rows. */
static long double *gradients(const attcert_layer *l, const double *weight, int h, const long double *z, int n) {
  const size_t k = (size_t)l->head_dim, d = (size_t)l->dim;
  long double *const out = zeros((size_t)n * d);
  for (size_t i = 0; i < (size_t)n; i++) {
    for (size_t r = 0; r < k; r++) {
      for (size_t c = 0; c < d; c++)
        out[i * d + c] += (long double)weight[((size_t)h * k + r) * d + c] * z[i * k + r] / sqrtl((long double)k);
    }
  }
  return out;
}

static long double *push_values(const attcert_layer *l, int h, const long double *v, int n) {
  const size_t k = (size_t)l->head_dim, width = (size_t)l->heads * k;
  const size_t height = (size_t)(l->output_weight != NULL ? l->out_dim : l->head_dim);
  long double *const out = zeros((size_t)n * height);
  for (size_t j = 0; j < (size_t)n; j++) {
    for (size_t o = 0; o < height; o++) {
      if (l->output_weight == NULL) out[j * height + o] = v[j * k + o];
      for (size_t r = 0; r < k && l->output_weight != NULL; r++)
        out[j * height + o] += (long double)l->output_weight[o * width + (size_t)h * k + r] * v[j * k + r];
    }
  }
  return out;
}

static void set_weights(slow_head *s, const long double *q, const long double *keys, size_t k) {
  const size_t n = (size_t)s->n;
  for (size_t i = 0; i < n; i++) {
    const size_t attended = (size_t)attended_keys(s->mask, (int)i, s->n);
    long double top = -INFINITY, sum = 0, *const p = s->p + i * n;
    for (size_t j = 0; j < attended; j++) {
      p[j] = slow_dot(q + i * k, keys + j * k, k) / sqrtl((long double)k);
      top = fmaxl(top, p[j]);
    }
    for (size_t j = 0; j < attended; j++) sum += p[j] = expl(p[j] - top);
    for (size_t j = 0; j < attended; j++) p[j] /= sum;
  }
}

/* out [n][n][size] := z_j - sum_m P_im z_m */
static void deviations(long double *out, long double *mean, const slow_head *s, const long double *z, size_t size) {
  const size_t n = (size_t)s->n;
  for (size_t i = 0; i < n; i++) {
    for (size_t c = 0; c < size; c++) {
      long double sum = 0;
      for (size_t m = 0; m < n; m++) sum += s->p[i * n + m] * z[m * size + c];
      if (mean != NULL) mean[i * size + c] = sum;
      for (size_t j = 0; j < n; j++) out[(i * n + j) * size + c] = z[j * size + c] - sum;
    }
  }
}

static void set_forms(slow_head *s) {
  const size_t n = (size_t)s->n, d = (size_t)s->dim;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      long double *const phi = s->phi + (i * n + j) * n * d;
      for (size_t m = 0; m < n; m++) {
        for (size_t c = 0; c < d; c++)
          phi[m * d + c] = ((m == j ? 1.0L : 0.0L) - s->p[i * n + m]) * s->g[i * d + c] +
                           (m == i ? s->key[(i * n + j) * d + c] : 0.0L);
      }
    }
  }
}

void slow_head_init(slow_head *s, const attcert_layer *layer, int h, const long double *x, int n) {
  const size_t tokens = (size_t)n, d = (size_t)layer->dim, k = (size_t)layer->head_dim;
  const int height = layer->output_weight != NULL ? layer->out_dim : layer->head_dim;
  *s = (slow_head){.n = n, .dim = layer->dim, .height = height, .mask = layer->mask};
  s->p = zeros(tokens * tokens);
  s->y = zeros(tokens * (size_t)height);
  s->w = zeros(tokens * tokens * (size_t)height);
  s->key = zeros(tokens * tokens * d);
  s->phi = zeros(tokens * tokens * tokens * d);
  long double *const q = project(layer, layer->query_weight, layer->query_bias, h, x, n);
  long double *const keys = project(layer, layer->key_weight, layer->key_bias, h, x, n);
  long double *const v = project(layer, layer->value_weight, layer->value_bias, h, x, n);
  long double *const pushed = push_values(layer, h, v, n);
  s->g = gradients(layer, layer->key_weight, h, q, n);
  long double *const hs = gradients(layer, layer->query_weight, h, keys, n);
  set_weights(s, q, keys, k);
  deviations(s->w, s->y, s, pushed, (size_t)height);
  deviations(s->key, NULL, s, hs, d);
  set_forms(s);
  free(q);
  free(keys);
  free(v);
  free(pushed);
  free(hs);
}

void slow_head_clear(slow_head *s) {
  free(s->p);
  free(s->y);
  free(s->w);
  free(s->g);
  free(s->key);
  free(s->phi);
}

long double slow_head_tolerance(void) {
  const volatile long double tiny = LDBL_EPSILON;
  const volatile long double next = 1 + tiny;
  return next > 1 ? 1e-15L : 1e-9L;
}
