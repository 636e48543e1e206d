#include "layer_transform.h"

#include "random_layer_family.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 64 };

static void random_permutation(int *permutation, int n, random_source *r) {
  for (int i = 0; i < n; i++) permutation[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int j = random_integer(r, 0, i), t = permutation[i];
    permutation[i] = permutation[j];
    permutation[j] = t;
  }
}

static double random_sign(random_source *r) {
  return random_chance(r, 0.5) ? 1 : -1;
}

/* Of one array: row i of `to` becomes sign[i] times row permutation[i] of `from`; sign = NULL: all +1. */
static void permute_rows(const layer_case *to, const layer_case *from, int which, const int *permutation,
                         const double *sign) {
  layer_array a = layer_case_array(to, which), b = layer_case_array(from, which);
  for (size_t i = 0; a.data && i < a.rows; i++)
    for (size_t j = 0; j < a.cols; j++)
      a.data[i * a.cols + j] = (sign ? sign[i] : 1) * b.data[(size_t)permutation[i] * a.cols + j];
}

/* The same for columns. */
static void permute_columns(const layer_case *to, const layer_case *from, int which, const int *permutation,
                            const double *sign) {
  layer_array a = layer_case_array(to, which), b = layer_case_array(from, which);
  for (size_t i = 0; a.data && i < a.rows; i++)
    for (size_t j = 0; j < a.cols; j++)
      a.data[i * a.cols + j] = (sign ? sign[j] : 1) * b.data[i * a.cols + (size_t)permutation[j]];
}

/* ---- tokens and coordinates -------------------------------------------------------------------------------------- */

/* Without a mask attention does not know the order of its tokens. */
static int permute_tokens(layer_case *to, const layer_case *from, random_source *r) {
  if (from->layer.mask != ATTCERT_MASK_NONE) return NOT_APPLICABLE;
  int permutation[MAX_SIDE];
  layer_case_copy(to, from);
  random_permutation(permutation, from->x.rows, r);
  permute_rows(to, from, INPUT, permutation, NULL);
  return 0;
}

/* A signed permutation of the coordinates of R^d, undone by the weights. */
static int permute_coordinates(layer_case *to, const layer_case *from, random_source *r) {
  static const int arrays[] = {QUERY_WEIGHT, KEY_WEIGHT, VALUE_WEIGHT, INPUT};
  int permutation[MAX_SIDE];
  double sign[MAX_SIDE];
  layer_case_copy(to, from);
  random_permutation(permutation, from->layer.dim, r);
  for (int j = 0; j < from->layer.dim; j++) sign[j] = random_sign(r);
  for (int a = 0; a < 4; a++) permute_columns(to, from, arrays[a], permutation, sign);
  return 0;
}

/* ---- heads ------------------------------------------------------------------------------------------------------- */

static void permute_head_rows(const layer_case *to, const layer_case *from, const int *permutation, const double *qk,
                              const double *v) {
  static const int score_arrays[] = {QUERY_WEIGHT, KEY_WEIGHT, QUERY_BIAS, KEY_BIAS};
  for (int a = 0; a < 4; a++) permute_rows(to, from, score_arrays[a], permutation, qk);
  permute_rows(to, from, VALUE_WEIGHT, permutation, v);
  permute_rows(to, from, VALUE_BIAS, permutation, v);
  permute_columns(to, from, OUTPUT_WEIGHT, permutation, v);
}

/* A signed permutation of the coordinates inside every head, the signs of V other than those of Q and K. */
static int permute_head_coordinates(layer_case *to, const layer_case *from, random_source *r) {
  const int k = from->layer.head_dim, width = from->layer.heads * k;
  int inner[MAX_SIDE], permutation[MAX_SIDE];
  double score_sign[MAX_SIDE], value_sign[MAX_SIDE];
  layer_case_copy(to, from);
  random_permutation(inner, k, r);
  for (int row = 0; row < width; row++) {
    permutation[row] = row / k * k + inner[row % k];
    score_sign[row] = random_sign(r);
    value_sign[row] = random_sign(r);
  }
  permute_head_rows(to, from, permutation, score_sign, value_sign);
  return 0;
}

static int permute_heads(layer_case *to, const layer_case *from, random_source *r) {
  const int k = from->layer.head_dim, heads = from->layer.heads;
  int outer[MAX_SIDE], permutation[MAX_SIDE];
  layer_case_copy(to, from);
  random_permutation(outer, heads, r);
  for (int row = 0; row < heads * k; row++) permutation[row] = outer[row / k] * k + row % k;
  permute_head_rows(to, from, permutation, NULL, NULL);
  return 0;
}

/* A case like `from` with one more head, whose entries are 0. */
static bool add_head(layer_case *to, const layer_case *from) {
  const attcert_layer *l = &from->layer;
  if (!l->output_weight) return false;
  const layer_shape shape = {from->x.rows,          l->dim, l->heads + 1, l->head_dim, l->out_dim,
                             l->query_bias != NULL, l->mask};
  layer_case_init_zero(to, &shape);
  for (int which = 0; which < ARRAYS; which++) {
    layer_array a = layer_case_array(to, which), b = layer_case_array(from, which);
    for (size_t i = 0; b.data && i < b.rows; i++)
      memcpy(a.data + i * a.cols, b.data + i * b.cols, b.cols * sizeof(double));
  }
  return true;
}

/* The new head's own rows of one of the arrays indexed by heads. */
static layer_array last_head(const layer_case *c, int which) {
  layer_array a = layer_case_array(c, which);
  const size_t k = (size_t)c->layer.head_dim;
  if (a.data) a.data += (a.rows - k) * a.cols;
  a.rows = k;
  return a;
}

/* A head that W_O ignores does not matter, whatever it computes. */
static int add_ignored_head(layer_case *to, const layer_case *from, random_source *r) {
  static const int arrays[] = {QUERY_WEIGHT, KEY_WEIGHT, VALUE_WEIGHT, QUERY_BIAS, KEY_BIAS, VALUE_BIAS};
  if (!add_head(to, from)) return NOT_APPLICABLE;
  for (int i = 0; i < 6; i++) {
    layer_array a = last_head(to, arrays[i]);
    if (a.data) random_fill_gaussian(a.data, a.rows * a.cols, ldexp(1, random_integer(r, -3, 3)), r);
  }
  return 0;
}

/* The last head twice, each with half of its columns of W_O. Halving subnormal numbers would round. */
static int split_last_head(layer_case *to, const layer_case *from, random_source *r) {
  static const int arrays[] = {QUERY_WEIGHT, KEY_WEIGHT, VALUE_WEIGHT, QUERY_BIAS, KEY_BIAS, VALUE_BIAS};
  (void)r;
  layer_array out = layer_case_array(from, OUTPUT_WEIGHT);
  for (size_t i = 0; out.data && i < out.rows * out.cols; i++)
    if (fabs(out.data[i]) < 0x1p-1021 && out.data[i] != 0) return NOT_APPLICABLE;
  if (!add_head(to, from)) return NOT_APPLICABLE;
  for (int i = 0; i < 6; i++) {
    layer_array a = last_head(to, arrays[i]), b = last_head(from, arrays[i]);
    if (a.data) memcpy(a.data, b.data, a.rows * a.cols * sizeof(double));
  }
  const size_t k = (size_t)from->layer.head_dim;
  layer_array doubled = layer_case_array(to, OUTPUT_WEIGHT);
  for (size_t i = 0; i < doubled.rows; i++)
    for (size_t s = 0; s < k; s++) {
      double *entry = doubled.data + i * doubled.cols + doubled.cols - 2 * k + s;
      *entry /= 2;
      entry[k] = *entry;
    }
  return 0;
}

/* ---- scales, biases, outputs ------------------------------------------------------------------------------------- */

/* Whether 2^shift times each entry is exact. */
static bool scales_exactly(layer_array a, int shift) {
  for (size_t i = 0; a.data && i < a.rows * a.cols; i++)
    if (!isfinite(ldexp(a.data[i], shift)) || ldexp(ldexp(a.data[i], shift), -shift) != a.data[i]) return false;
  return true;
}

static int scale_value(layer_case *to, const layer_case *from, random_source *r) {
  const int exponent = random_integer(r, -300, 300);
  if (!scales_exactly(layer_case_array(from, VALUE_WEIGHT), exponent)) return NOT_APPLICABLE;
  layer_case_copy(to, from);
  layer_array_scale(layer_case_array(to, VALUE_WEIGHT), exponent);
  return exponent;
}

/* The scores see only the product of Q and K. */
static int trade_query_for_key(layer_case *to, const layer_case *from, random_source *r) {
  static const int arrays[] = {QUERY_WEIGHT, QUERY_BIAS, KEY_WEIGHT, KEY_BIAS};
  const int shift = random_integer(r, -200, 200);
  for (int i = 0; i < 4; i++)
    if (!scales_exactly(layer_case_array(from, arrays[i]), i < 2 ? shift : -shift)) return NOT_APPLICABLE;
  layer_case_copy(to, from);
  for (int i = 0; i < 4; i++) layer_array_scale(layer_case_array(to, arrays[i]), i < 2 ? shift : -shift);
  return 0;
}

/* X times 2^s with Q and K divided by it: the same attention; the values grow by 2^s as their differences' gradients
 * g_i shrink, and V itself stays. */
static int trade_input_for_weights(layer_case *to, const layer_case *from, random_source *r) {
  const int shift = random_integer(r, -100, 100);
  if (!scales_exactly(layer_case_array(from, INPUT), shift)) return NOT_APPLICABLE;
  for (int which = QUERY_WEIGHT; which <= KEY_WEIGHT; which++)
    if (!scales_exactly(layer_case_array(from, which), -shift)) return NOT_APPLICABLE;
  layer_case_copy(to, from);
  layer_array_scale(layer_case_array(to, INPUT), shift);
  layer_array_scale(layer_case_array(to, QUERY_WEIGHT), -shift);
  layer_array_scale(layer_case_array(to, KEY_WEIGHT), -shift);
  return 0;
}

/* b_K cancels in softmax, b_V and b_O in the derivative. */
static int change_idle_biases(layer_case *to, const layer_case *from, random_source *r) {
  static const int arrays[] = {KEY_BIAS, VALUE_BIAS, OUTPUT_BIAS};
  if (!from->layer.query_bias) return NOT_APPLICABLE;
  layer_case_copy(to, from);
  for (int i = 0; i < 3; i++) {
    layer_array a = layer_case_array(to, arrays[i]);
    if (a.data) random_fill_gaussian(a.data, a.rows, ldexp(1, random_integer(r, -5, 5)), r);
  }
  return 0;
}

static int permute_outputs(layer_case *to, const layer_case *from, random_source *r) {
  int permutation[MAX_SIDE];
  double sign[MAX_SIDE];
  if (!from->layer.output_weight) return NOT_APPLICABLE;
  layer_case_copy(to, from);
  random_permutation(permutation, from->layer.out_dim, r);
  for (int o = 0; o < from->layer.out_dim; o++) sign[o] = random_sign(r);
  permute_rows(to, from, OUTPUT_WEIGHT, permutation, sign);
  return 0;
}

/* Four copies of every output double the norm. */
static int repeat_outputs(layer_case *to, const layer_case *from, random_source *r) {
  const attcert_layer *l = &from->layer;
  (void)r;
  if (!l->output_weight) return NOT_APPLICABLE;
  const layer_shape shape = {from->x.rows,          l->dim, l->heads, l->head_dim, 4 * l->out_dim,
                             l->query_bias != NULL, l->mask};
  layer_case_init_zero(to, &shape);
  for (int which = 0; which < ARRAYS; which++) {
    layer_array a = layer_case_array(to, which), b = layer_case_array(from, which);
    const size_t size = b.rows * b.cols;
    for (size_t i = 0; a.data && i < a.rows * a.cols; i++) a.data[i] = b.data[i % size];
  }
  return 1;
}

static const layer_transform TRANSFORM[] = {
    {"token permutation", permute_tokens},
    {"signed permutation of coordinates", permute_coordinates},
    {"signed permutation inside heads", permute_head_coordinates},
    {"head permutation", permute_heads},
    {"ignored head", add_ignored_head},
    {"head split in two", split_last_head},
    {"V times a power of two", scale_value},
    {"Q times, K divided by a power of two", trade_query_for_key},
    {"X times, Q and K divided by a power of two", trade_input_for_weights},
    {"idle biases", change_idle_biases},
    {"signed permutation of outputs", permute_outputs},
    {"outputs repeated four times", repeat_outputs},
};

int layer_transforms(void) {
  return (int)(sizeof TRANSFORM / sizeof TRANSFORM[0]);
}

const layer_transform *layer_transform_get(int i) {
  return &TRANSFORM[i];
}
