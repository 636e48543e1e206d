#include "network/affine/step_affine.h"
#include "network/attention/attention_pairs.h"
#include "network/attention/step_attention.h"
#include "network/scale/step_scale.h"
#include "onnx/onnx_operators.h"

#include <math.h>

onnx_tensor *onnx_affine(onnx_graph *g, onnx_tensor *x, const double *weight, const double *bias, int64_t rows) {
  const int value = onnx_place(g, x, onnx_shape_last(&x->shape));
  const double *const kept = onnx_keep(g, weight, (size_t)(rows * onnx_shape_last(&x->shape)));
  const affine_weights *const of = network_copy(&g->b, &(affine_weights){kept, bias}, sizeof *of);
  if (g->b.status != ATTCERT_OK) return NULL;
  onnx_shape shape = x->shape;
  shape.side[shape.rank - 1] = rows;
  return onnx_placed(g, &shape, step_affine_add(&g->b, value, of, (int)rows));
}

/* ---- by a constant matrix ---------------------------------------------------------------------------------------- */

/* x times the matrix w [k, m], as a meaning: its bias may follow. */
static onnx_tensor *product_of(onnx_graph *g, onnx_tensor *x, const onnx_tensor *w) {
  const int64_t k = w->shape.side[0], m = w->shape.side[1];
  onnx_shape shape = x->shape;
  shape.side[shape.rank - 1] = m;
  onnx_tensor *const turned = onnx_new(g, &(onnx_shape){2, {m, k}}, false, true);
  for (int64_t r = 0; turned != NULL && r < m; r++) {
    for (int64_t c = 0; c < k; c++) turned->number[r * k + c] = w->number[c * m + r];
  }
  onnx_tensor *const t = turned != NULL ? onnx_meant(g, &shape, ONNX_PRODUCT, x) : NULL;
  if (t != NULL) t->of[1] = turned;
  return t;
}

/* ---- attention --------------------------------------------------------------------------------------------------- */

/* All sides but the last two, as heads. */
static int64_t heads_of(const onnx_tensor *t) {
  return (int64_t)t->count / (t->shape.side[t->shape.rank - 1] * t->shape.side[t->shape.rank - 2]);
}

static bool same_heads(const onnx_tensor *a, const onnx_tensor *b) {
  if (a->shape.rank != b->shape.rank) return false;
  for (int k = 0; k < a->shape.rank - 2; k++) {
    if (a->shape.side[k] != b->shape.side[k]) return false;
  }
  return true;
}

/* The value of [tokens, heads dim] that t [.., tokens, dim] is, or t [.., dim, tokens] where it is turned. */
static int place_heads(onnx_graph *g, onnx_tensor *t, bool turned) {
  const int64_t heads = heads_of(t), a = t->shape.side[t->shape.rank - 2], b = onnx_shape_last(&t->shape);
  const int64_t tokens = turned ? b : a, dim = turned ? a : b;
  const onnx_shape shape = {3, {tokens, heads, dim}};
  const int64_t stride[ONNX_RANK_MOST] = {turned ? 1 : dim, a * b, turned ? tokens : 1};
  onnx_tensor *const moved = onnx_moved(g, t, &shape, 0, stride);
  return moved != NULL ? onnx_place(g, moved, heads * dim) : 0;
}

static onnx_tensor *scores_of(onnx_graph *g, onnx_tensor *q, onnx_tensor *k) {
  onnx_shape shape = q->shape;
  if (!same_heads(q, k)) {
    onnx_refuse(g, "of two computed tensors: expected as many heads of both");
    return NULL;
  }
  shape.side[shape.rank - 1] = onnx_shape_last(&k->shape);
  onnx_tensor *const t = onnx_meant(g, &shape, ONNX_SCORES, q);
  if (t != NULL) t->of[1] = k;
  return t;
}

/* *divided_by /= scale^2 where that is exact; else the queries are scaled. */
static int scaled_queries(double *divided_by, onnx_graph *g, int queries, double scale) {
  const double square = scale * scale, quotient = *divided_by / square;
  if (scale == 1.0 || g->b.status != ATTCERT_OK) return queries;
  if (scale > 0.0 && square > 0x1p-300 && fma(scale, scale, -square) == 0.0 &&
      fma(quotient, square, -*divided_by) == 0.0 && isfinite(quotient)) {
    *divided_by = quotient;
    return queries;
  }
  const size_t cols = (size_t)network_cols(g->b.network, queries);
  double *const factor = network_new(&g->b, cols, sizeof *factor);
  for (size_t c = 0; factor != NULL && c < cols; c++) factor[c] = scale;
  return step_scale_add(&g->b, queries, network_copy(&g->b, &(scale_weights){factor}, sizeof(scale_weights)));
}

onnx_tensor *onnx_biased_scores(onnx_graph *g, const onnx_tensor *x, onnx_tensor *bias) {
  onnx_shape shape;
  if (x->of[2] != NULL || !onnx_shape_broadcast(&shape, &x->shape, &bias->shape) ||
      !onnx_shape_equal(&shape, &x->shape)) {
    onnx_refuse(g, "to scores, expected one constant of their sides, or that is broadcast to them");
    return NULL;
  }
  onnx_tensor *const t = onnx_meant(g, &x->shape, ONNX_SCORES, x->of[0]);
  if (t == NULL) return NULL;
  t->of[1] = x->of[1];
  t->of[2] = onnx_broadcast(g, bias, &shape);
  t->scale = x->scale;
  t->divided_by = x->divided_by;
  return t;
}

/* What is added to the scores, in the order of heads, queries and keys. */
static void add_bias(onnx_graph *g, int attention, const onnx_tensor *bias, int heads) {
  if (bias == NULL || g->b.status != ATTCERT_OK) return;
  const int rows = (int)bias->shape.side[bias->shape.rank - 2], keys = (int)onnx_shape_last(&bias->shape);
  const attention_pairs pairs = {.rows = rows, .keys = keys, .biases = heads, .bias = bias->number};
  attention_pairs_restrict_value(&g->b, attention, &pairs);
}

onnx_tensor *onnx_attention(onnx_graph *g, onnx_tensor *w, onnx_tensor *v) {
  onnx_tensor *const q = w->of[0], *const k = w->of[1];
  if (!same_heads(q, v) || v->shape.side[v->shape.rank - 2] != onnx_shape_last(&k->shape)) {
    onnx_refuse(g, "of weights and values: expected as many heads and tokens of both");
    return NULL;
  }
  const int heads = (int)heads_of(q), dim = (int)onnx_shape_last(&q->shape),
            value_dim = (int)onnx_shape_last(&v->shape);
  attention_heads of = step_attention_plain(heads, dim);
  of.value_dim = value_dim;
  int input[3] = {place_heads(g, q, false), place_heads(g, k, true), place_heads(g, v, false)};
  of.divided_by = w->divided_by;
  input[0] = scaled_queries(&of.divided_by, g, input[0], w->scale);
  const int value = g->b.status == ATTCERT_OK ? step_attention_add(&g->b, input, &of) : 0;
  add_bias(g, value, w->of[2], heads);
  /* [tokens, heads, value_dim] to [.., heads, tokens, value_dim] */
  onnx_shape shape = q->shape;
  shape.side[shape.rank - 1] = value_dim;
  const int64_t tokens = shape.side[shape.rank - 2];
  onnx_tensor *const rows = onnx_placed(g, &(onnx_shape){3, {tokens, heads, value_dim}}, value);
  const int64_t stride[ONNX_RANK_MOST] = {value_dim, (int64_t)heads * value_dim, 1};
  onnx_tensor *const turned =
      rows != NULL ? onnx_moved(g, rows, &(onnx_shape){3, {heads, tokens, value_dim}}, 0, stride) : NULL;
  return onnx_reshaped(g, turned, &shape);
}

/* ---- the operators ----------------------------------------------------------------------------------------------- */

void onnx_matmul(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0), *const y = onnx_input(g, 1), *t = NULL;
  if (x == NULL || y == NULL) return;
  if (x->shape.rank < 2 || y->shape.rank < 2 || onnx_shape_last(&x->shape) != y->shape.side[y->shape.rank - 2])
    onnx_refuse(g, "of %d and %d sides: expected matrices that fit each other", x->shape.rank, y->shape.rank);
  else if (onnx_tensor_is_constant(x))
    onnx_refuse(g, "by a constant on the left: expected it on the right");
  else if (onnx_tensor_is_constant(y) && y->shape.rank > 2)
    onnx_refuse(g, "by a constant of %d sides, expected 2", y->shape.rank);
  else if (onnx_tensor_is_constant(y))
    t = product_of(g, x, y);
  else if (x->meaning == ONNX_WEIGHTS)
    t = onnx_attention(g, x, y);
  else
    t = scores_of(g, x, y);
  onnx_result(g, 0, t);
}

void onnx_gemm(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0), *const w = onnx_input(g, 1);
  if (x == NULL || w == NULL) return;
  const bool turned = onnx_integer(g, "transB", 0) != 0, right = onnx_tensor_is_constant(w) && w->shape.rank == 2;
  if (!right || x->shape.rank != 2 || onnx_integer(g, "transA", 0) != 0 || onnx_number(g, "alpha", 1.0) != 1.0 ||
      onnx_number(g, "beta", 1.0) != 1.0) {
    onnx_refuse(g, "expected x W + b or x W^T + b, with a constant matrix W");
    return;
  }
  const int64_t rows = w->shape.side[turned ? 0 : 1], cols = w->shape.side[turned ? 1 : 0];
  onnx_tensor *const bias = onnx_has_input(g, 2) ? onnx_input(g, 2) : NULL;
  onnx_shape shape = {2, {x->shape.side[0], rows}}, fits;
  if (cols != x->shape.side[1] ||
      (bias != NULL && (!onnx_tensor_is_constant(bias) || !onnx_shape_broadcast(&fits, &bias->shape, &shape) ||
                        !onnx_shape_equal(&fits, &shape)))) {
    onnx_refuse(g, "expected sides that fit each other");
    return;
  }
  const onnx_tensor *const product = turned ? NULL : product_of(g, x, w);
  if (!turned && product == NULL) return;
  const onnx_tensor *const of = turned ? w : product->of[1];
  const double *const beside = bias != NULL ? onnx_columns_of(g, bias, &shape) : NULL;
  if (bias != NULL && beside == NULL) onnx_refuse(g, "expected a bias that is the same in all rows");
  if (g->b.status == ATTCERT_OK) onnx_result(g, 0, onnx_affine(g, x, of->number, beside, rows));
}

/* ---- convolutions of patches ------------------------------------------------------------------------------------- */

/* Whether attribute `name` is absent, or `count` times `is`. */
static bool all_are(onnx_graph *g, const char *name, const int64_t *is, int count) {
  int64_t list[ONNX_RANK_MOST];
  const int length = onnx_list(list, g, SIZE_MAX, name);
  for (int k = 0; k < length; k++) {
    if (k >= count || list[k] != is[k]) return false;
  }
  return length < 0 || length == count;
}

/* Of kernels as wide as they step, without padding: each patch is multiplied by a matrix. */
void onnx_conv(onnx_graph *g) {
  static const int64_t ones[2] = {1, 1}, none[4] = {0};
  onnx_tensor *const x = onnx_input(g, 0), *const w = onnx_input(g, 1);
  if (x == NULL || w == NULL) return;
  onnx_tensor *const bias = onnx_has_input(g, 2) ? onnx_input(g, 2) : NULL;
  const bool patches = x->shape.rank == 4 && w->shape.rank == 4 && onnx_tensor_is_constant(w) &&
                       (bias == NULL || onnx_tensor_is_constant(bias)) && onnx_attribute(g, "strides") != NULL &&
                       all_are(g, "strides", w->shape.side + 2, 2) &&
                       all_are(g, "kernel_shape", w->shape.side + 2, 2) && all_are(g, "dilations", ones, 2) &&
                       all_are(g, "pads", none, 4) && onnx_integer(g, "group", 1) == 1 && x->shape.side[0] == 1 &&
                       x->shape.side[1] == w->shape.side[1] &&
                       (bias == NULL || bias->count == (size_t)w->shape.side[0]);
  if (!patches || x->shape.side[2] < w->shape.side[2] || x->shape.side[3] < w->shape.side[3]) {
    onnx_refuse(g, "expected one image, a constant kernel as wide as it steps, no padding, one group");
    return;
  }
  const int64_t channels = x->shape.side[1], high = w->shape.side[2], wide = w->shape.side[3], out = w->shape.side[0];
  const int64_t down = x->shape.side[2] / high, right = x->shape.side[3] / wide, line = x->shape.side[3];
  /* [down, right, channels, high, wide] of the image [channels, down high.., right wide..] */
  const onnx_shape cut = {5, {down, right, channels, high, wide}};
  const int64_t stride[ONNX_RANK_MOST] = {high * line, wide, x->shape.side[2] * line, line, 1};
  onnx_tensor *const moved = onnx_moved(g, x, &cut, 0, stride);
  const onnx_shape flat = {2, {down * right, channels * high * wide}}, grid = {4, {1, out, down, right}};
  onnx_tensor *const rows = onnx_reshaped(g, moved, &flat);
  const double *const beside = bias != NULL ? onnx_keep(g, bias->number, bias->count) : NULL;
  onnx_tensor *const t = rows != NULL ? onnx_affine(g, rows, w->number, beside, out) : NULL;
  const int64_t back[ONNX_RANK_MOST] = {0, 1, right * out, out};
  if (t != NULL) onnx_result(g, 0, onnx_moved(g, t, &grid, 0, back));
}
