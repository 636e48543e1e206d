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

void reference_rms_norm(long double *x, int n, int d, const double *gamma, double shift, double epsilon) {
  for (int t = 0; t < n; t++) {
    long double square = 0;
    for (int i = 0; i < d; i++) square += x[t * d + i] * x[t * d + i] / d;
    for (int i = 0; i < d; i++) x[t * d + i] *= ((long double)shift + gamma[i]) / sqrtl(square + epsilon);
  }
}

void reference_layer_norm(long double *x, int n, int d, const double *gamma, const double *beta, double epsilon) {
  for (int t = 0; t < n; t++) {
    long double mean = 0, variance = 0;
    for (int i = 0; i < d; i++) mean += x[t * d + i] / d;
    for (int i = 0; i < d; i++) variance += (x[t * d + i] - mean) * (x[t * d + i] - mean) / d;
    for (int i = 0; i < d; i++) x[t * d + i] = gamma[i] * (x[t * d + i] - mean) / sqrtl(variance + epsilon);
    for (int i = 0; i < d && beta != NULL; i++) x[t * d + i] += beta[i];
  }
}

static int key_heads(const reference_attention *a) {
  return a->key_heads > 0 ? a->key_heads : a->heads;
}

static void norm_heads(long double *x, int n, int heads, int width, const reference_attention *a, int which) {
  const int parts = a->norm[which].rows ? 1 : heads;
  if (a->norm[which].gain == NULL) return;
  reference_rms_norm(x, n * parts, heads * width / parts, a->norm[which].gain, a->norm[which].shift,
                     a->norm[which].epsilon);
}

/* Entries m and m + p of each head of token i by the angle i theta^(-m / p), p half of how many rotate. */
static void rotate(long double *x, int n, int heads, int width, const reference_attention *a) {
  const int pairs = (a->rotating > 0 ? a->rotating : width) / 2;
  for (int i = 0; i < n; i++) {
    for (int m = 0; m < heads * pairs; m++) {
      const int pair = m % pairs;
      long double *const at = x + (i * heads + m / pairs) * width + pair, first = at[0], second = at[pairs];
      const long double frequency = powl(a->rotary, -1.0L * pair / pairs);
      const long double angle = i * (a->slow != NULL ? a->slow(frequency) : frequency);
      const long double size = a->amplitude > 0 ? a->amplitude : 1;
      at[0] = size * (cosl(angle) * first - sinl(angle) * second);
      at[pairs] = size * (sinl(angle) * first + cosl(angle) * second);
    }
  }
}

static int head_dim(const reference_attention *a) {
  return a->own.head_dim > 0 ? a->own.head_dim : a->dim / a->heads;
}

/* Half of the buckets for keys behind; half of those for one offset each, n of them; bucket n + k from an offset o on
 * with (o / n)^rest = (distance / n)^k, the last one without end. 32 up to a distance of 128 where nothing else is
 * said. */
static int bucket_of(int offset, const reference_attention *a) {
  const int buckets = a->own.buckets > 0 ? a->own.buckets : 32, distance = a->own.buckets > 0 ? a->own.distance : 128;
  const int n = offset < 0 ? -offset : offset, half = buckets / 2, exact = half / 2, rest = half - exact;
  const int side = offset > 0 ? half : 0;
  int k = 0;
  if (n < exact) return side + n;
  while (k < rest - 1 && powl((long double)n / exact, rest) >= powl((long double)distance / exact, k + 1)) k++;
  return side + exact + k;
}

/* Of i - j: itself up to half of the buckets, then the least half + k with (n / half)^(half - 1) <= (farthest /
 * half)^k. */
static int relative_position(int offset, const reference_attention *a) {
  const int n = offset < 0 ? -offset : offset, half = a->shift.buckets / 2, sign = offset < 0 ? -1 : 1;
  int k = 0;
  if (a->shift.buckets == 0 || n <= half) return offset;
  while (powl((long double)n / half, half - 1) > powl((a->shift.distance - 1) / (long double)half, k)) k++;
  return sign * (half + k);
}

/* z . head h of the row. */
static long double shifted(const long double *z, const long double *table, int position, int h,
                           const reference_attention *a) {
  const int width = head_dim(a), last = 2 * a->shift.span - 1;
  int row = position + a->shift.span;
  row = row < 0 ? 0 : row > last ? last : row;
  long double sum = 0;
  for (int r = 0; r < width; r++) sum += z[r] * table[(row * a->heads + h) * width + r];
  return sum;
}

/* Token i of head h attends to tokens first .. attended - 1. */
static void attend_token(long double *y, const long double *q, const long double *k, const long double *v, int i, int h,
                         const reference_attention *a, int first, int attended) {
  const int width = head_dim(a), queries = a->heads * width, keys = key_heads(a) * width;
  const int g = h / (a->heads / key_heads(a));
  long double weight[REFERENCE_TOKENS], total = a->sink != NULL ? expl(a->sink[h]) : 0;
  for (int j = first; j < attended; j++) {
    long double score = 0;
    for (int r = 0; r < width; r++) score += q[i * queries + h * width + r] * k[j * keys + g * width + r];
    if (a->shift.key != NULL)
      score += shifted(q + i * queries + h * width, a->shift.key, relative_position(i - j, a), h, a);
    if (a->shift.query != NULL)
      score += shifted(k + j * keys + g * width, a->shift.query, -relative_position(j - i, a), h, a);
    score *= a->scale;
    if (a->cap > 0) score = a->cap * tanhl(score / a->cap);
    if (a->bias != NULL) score += a->bias[bucket_of(j - i, a) * a->heads + h];
    if (a->slope != NULL) score -= a->slope[h] * fabsl((long double)(i - j));
    weight[j] = expl(score);
    total += weight[j];
  }
  for (int r = 0; r < width; r++) {
    long double mean = 0;
    for (int j = first; j < attended; j++) mean += weight[j] / total * v[j * keys + g * width + r];
    y[i * queries + h * width + r] = mean;
  }
}

void reference_attend(long double *y, const long double *x, int n, const reference_attention *a) {
  long double q[MOST], k[MOST], v[MOST], mixed[MOST];
  const int d = a->dim, width = head_dim(a), queries = a->heads * width, keys = key_heads(a) * width;
  reference_apply(q, x, n, a->map[0], queries, d);
  reference_apply(k, x, n, a->map[1], keys, d);
  reference_apply(v, x, n, a->map[2], keys, d);
  norm_heads(q, n, a->heads, width, a, 0);
  norm_heads(k, n, key_heads(a), width, a, 1);
  if (a->rotary > 0) {
    rotate(q, n, a->heads, width, a);
    rotate(k, n, key_heads(a), width, a);
  }
  for (int i = 0; i < n; i++) {
    const int first = i + 1 > a->window ? i + 1 - a->window : 0;
    const int last = a->causal ? i + 1 : i + a->window < n ? i + a->window : n;
    for (int h = 0; h < a->heads; h++) attend_token(mixed, q, k, v, i, h, a, first, last);
  }
  if (a->gate.weight != NULL) {
    reference_apply(q, x, n, a->gate, queries, d);
    for (int i = 0; i < n * queries; i++) mixed[i] /= 1 + expl(-q[i]);
  }
  reference_apply(y, mixed, n, a->map[3], d, queries);
}

long double reference_gelu(long double x) {
  return x * (1 + erfl(x / sqrtl(2))) / 2;
}

long double reference_gelu_tanh(long double x) {
  return x * (1 + tanhl(sqrtl(2 / acosl(-1)) * (x + 0.044715L * x * x * x))) / 2;
}

/* As its class writes it. */
long double reference_gelu_bloom(long double x) {
  return x * 0.5L * (1 + tanhl(0.79788456L * x * (1 + 0.044715L * x * x)));
}

long double reference_relu(long double x) {
  return x > 0 ? x : 0;
}

long double reference_quick_gelu(long double x) {
  return x / (1 + expl(-1.702L * x));
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
