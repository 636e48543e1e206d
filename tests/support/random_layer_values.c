/* Families of random_layer.h that differ in their values, heads and output projection. */
#include "random_layer_family.h"

#include "base/uniform.h"

#include <math.h>
#include <string.h>

static void clear_array(layer_array a) {
  if (a.data) memset(a.data, 0, a.rows * a.cols * sizeof(double));
}

void zero_value(layer_case *c, random_source *r) {
  (void)r;
  clear_array(layer_case_array(c, VALUE_WEIGHT));
}

void zero_output(layer_case *c, random_source *r) {
  (void)r;
  clear_array(layer_case_array(c, OUTPUT_WEIGHT));
}

/* rows x cols block of scale times a signed permutation (as many ones as fit). */
static void set_signed_permutation(double *a, size_t rows, size_t cols, double scale, random_source *r) {
  const size_t shift = (size_t)random_integer(r, 0, (int)cols - 1), ones = rows < cols ? rows : cols;
  memset(a, 0, rows * cols * sizeof(double));
  for (size_t i = 0; i < ones; i++) a[i * cols + (i + shift) % cols] = random_chance(r, 0.5) ? scale : -scale;
}

/* a (I - 2 u u^T / u^T u), a Householder reflection of every row: orthogonal up to rounding. */
static void reflect_rows(double *a, size_t rows, size_t cols, random_source *r) {
  double u[16], square = 0;
  for (size_t j = 0; j < cols; j++) {
    u[j] = random_gaussian(r);
    square += u[j] * u[j];
  }
  for (size_t i = 0; i < rows; i++) {
    double inner = 0;
    for (size_t j = 0; j < cols; j++) inner += a[i * cols + j] * u[j];
    for (size_t j = 0; j < cols; j++) a[i * cols + j] -= 2 * inner / square * u[j];
  }
}

/* Every head's V is a multiple of an orthogonal matrix, exactly or up to rounding; often with uniform attention, so
 * that the top singular value repeats. */
void orthogonal_value(layer_case *c, random_source *r) {
  const attcert_layer *l = &c->layer;
  const size_t k = (size_t)l->head_dim, d = (size_t)l->dim;
  const double scale = random_magnitude(r, -3, 3);
  const bool rounded = random_chance(r, 0.4);
  for (int h = 0; h < l->heads; h++) {
    double *v = l->value_weight + (size_t)h * k * d;
    set_signed_permutation(v, k, d, scale, r);
    if (rounded) reflect_rows(v, k, d, r);
  }
  if (random_chance(r, 0.5)) clear_array(layer_case_array(c, QUERY_WEIGHT));
  if (random_chance(r, 0.5)) clear_array(layer_case_array(c, QUERY_BIAS));
  layer_array out = layer_case_array(c, OUTPUT_WEIGHT);
  if (out.data && random_chance(r, 0.7)) set_signed_permutation(out.data, out.rows, out.cols, 1, r);
}

/* V = orthogonal + a perturbation of relative size 2^-5 to 2^-52, attention uniform or nearly so: singular values in
 * clusters. */
void clustered_value(layer_case *c, random_source *r) {
  orthogonal_value(c, r);
  layer_array v = layer_case_array(c, VALUE_WEIGHT);
  const int exponent = random_integer(r, -52, -5);
  for (size_t i = 0; i < v.rows * v.cols; i++) v.data[i] *= 1 + ldexp(random_gaussian(r), exponent);
  layer_array_scale(layer_case_array(c, QUERY_WEIGHT), exponent);
  layer_array_scale(layer_case_array(c, QUERY_BIAS), exponent);
}

/* Head `to` becomes a copy of head `from` in one of the arrays indexed by rows of heads. */
static void copy_head_rows(const layer_case *c, int which, int to, int from) {
  layer_array a = layer_case_array(c, which);
  const size_t size = (size_t)c->layer.head_dim * a.cols;
  if (a.data) memcpy(a.data + (size_t)to * size, a.data + (size_t)from * size, size * sizeof(double));
}

static void copy_head(const layer_case *c, int to, int from) {
  static const int arrays[] = {QUERY_WEIGHT, KEY_WEIGHT, VALUE_WEIGHT, QUERY_BIAS, KEY_BIAS, VALUE_BIAS};
  for (int i = 0; i < 6; i++) copy_head_rows(c, arrays[i], to, from);
}

void equal_heads(layer_case *c, random_source *r) {
  for (int h = 1; h < c->layer.heads; h++)
    if (h == 1 || random_chance(r, 0.7)) copy_head(c, h, 0);
}

/* Heads 2p + 1 repeat heads 2p, and W_O subtracts them. */
static void subtract_pairs(layer_case *c) {
  const size_t k = (size_t)c->layer.head_dim;
  layer_array out = layer_case_array(c, OUTPUT_WEIGHT);
  for (int h = 0; h < c->layer.heads; h += 2) {
    copy_head(c, h + 1, h);
    for (size_t o = 0; o < out.rows; o++)
      for (size_t s = 0; s < k; s++) {
        const size_t first = o * out.cols + (size_t)h * k + s;
        out.data[first + k] = -out.data[first];
      }
  }
}

/* The heads of a pair differ at most in b_K and b_V, which cancel in softmax and in the derivative: f is constant, but
 * only exact arithmetic sees it. */
void cancelling_heads(layer_case *c, random_source *r) {
  subtract_pairs(c);
  c->norm_is_zero = true;
  if (random_chance(r, 0.5)) return;
  for (int which = KEY_BIAS; which <= VALUE_BIAS; which++) {
    layer_array bias = layer_case_array(c, which);
    if (bias.data) random_fill_gaussian(bias.data, bias.rows, 1, r);
  }
}

/* The heads of a pair differ by 2^-5 to 2^-52 (relative) in one of the weights. */
void nearly_cancelling_heads(layer_case *c, random_source *r) {
  subtract_pairs(c);
  layer_array a = layer_case_array(c, random_integer(r, QUERY_WEIGHT, OUTPUT_WEIGHT));
  const int exponent = random_integer(r, -52, -5);
  for (size_t i = 0; i < a.rows * a.cols; i++) a.data[i] *= 1 + ldexp(random_gaussian(r), exponent);
}

/* Every row of W_O subtracts the heads of a pair but the first, which does not, and is 2^-5 to 2^-52 times as large:
 * the norm is what survives in one row of many that cancel. */
void cancelling_rows(layer_case *c, random_source *r) {
  subtract_pairs(c);
  layer_array out = layer_case_array(c, OUTPUT_WEIGHT);
  const int exponent = random_integer(r, -52, -5);
  for (size_t s = 0; s < out.cols; s++) out.data[s] = ldexp(random_gaussian(r), exponent);
}

/* The first d numbers without a pattern of each token, from the offset on, summed. */
static void sum_of_starts(double *sum, const layer_case *c, uint64_t offset) {
  const size_t d = (size_t)c->layer.dim;
  memset(sum, 0, d * sizeof *sum);
  for (uint64_t i = 0; i < (uint64_t)c->x.rows * d; i++) sum[i % d] += uniform_entry(offset + i);
}

/* v += (to - 1) a a^T / a^T a */
static void add_projection(double *v, const double *a, size_t d, double to) {
  double square = 0;
  for (size_t i = 0; i < d; i++) square += a[i] * a[i];
  for (size_t i = 0; i < d * d; i++) v[i] += (to - 1) * a[i / d] * a[i % d] / square;
}

/* b := b - (a^T b / a^T a) a */
static void remove_direction(double *b, const double *a, size_t d) {
  double inner = 0, square = 0;
  for (size_t i = 0; i < d; i++) {
    inner += a[i] * b[i];
    square += a[i] * a[i];
  }
  for (size_t i = 0; i < d; i++) b[i] -= inner / square * a[i];
}

/* Uniform attention, J = (1 1^T / n) (x) V, and a V that is the identity but where an iteration that starts from
 * base/uniform.h's vector begins, or begins again: V there is smaller. */
void orthogonal_to_start(layer_case *c, random_source *r) {
  const size_t d = (size_t)c->layer.dim;
  const uint64_t next = (uint64_t)c->x.rows * d;
  double *const v = c->layer.value_weight, first[8], second[8];
  const double to = random_uniform(r, 0, 0.99);
  clear_array(layer_case_array(c, random_chance(r, 0.5) ? QUERY_WEIGHT : KEY_WEIGHT));
  for (size_t i = 0; i < d * d; i++) v[i] = i % (d + 1) == 0;
  sum_of_starts(first, c, 0);
  add_projection(v, first, d, to);
  if (d > 2 && random_chance(r, 0.5)) {
    sum_of_starts(second, c, next);
    remove_direction(second, first, d);
    add_projection(v, second, d, to);
  }
  layer_array_scale(layer_case_array(c, VALUE_WEIGHT), random_integer(r, -3, 3));
}
