#include "network/batchnorm/step_batchnorm.h"
#include "network/layernorm/step_layernorm.h"
#include "network/mean/step_mean.h"
#include "onnx/onnx_operators.h"

#include <math.h>

/* ---- means ------------------------------------------------------------------------------------------------------- */

/* The mean over all sides but the last, of a tensor whose other sides are 1. */
static onnx_tensor *mean_of_rows(onnx_graph *g, onnx_tensor *x, const onnx_shape *shape) {
  const int value = onnx_place(g, x, onnx_shape_last(&x->shape));
  return g->b.status == ATTCERT_OK ? onnx_placed(g, shape, step_mean_add(&g->b, value, 0)) : NULL;
}

void onnx_reduce_mean(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  int64_t axes[ONNX_RANK_MOST];
  const int count = onnx_list(axes, g, 1, "axes");
  const bool keeps = onnx_integer(g, "keepdims", 1) != 0;
  if (x == NULL) return;
  const int axis = count == 1 ? onnx_shape_axis(&x->shape, axes[0]) : -1, last = x->shape.rank - 1;
  if (axis < 0) {
    onnx_refuse(g, "expected one constant axis");
    return;
  }
  onnx_shape shape = x->shape;
  shape.side[axis] = 1;
  onnx_tensor *t = NULL;
  if (axis == last && keeps && x->meaning == ONNX_SQUARES)
    t = onnx_meant(g, &shape, ONNX_VARIANCE, x->of[0]);
  else if (axis == last && keeps)
    t = onnx_meant(g, &shape, ONNX_MEAN, x);
  if (t != NULL) t->epsilon = 0.0;
  bool others = true; /* are 1 */
  for (int k = 0; k < last; k++) others = others && (k == axis || x->shape.side[k] == 1);
  if (t == NULL && g->b.status == ATTCERT_OK && axis < last && others) {
    if (!keeps) {
      shape.rank--;
      for (int k = axis; k < shape.rank; k++) shape.side[k] = x->shape.side[k + 1];
    }
    t = mean_of_rows(g, x, &shape);
  }
  if (t == NULL) onnx_refuse(g, "expected the mean of the last side, kept, or of the tokens");
  onnx_result(g, 0, t);
}

/* ---- softmax ----------------------------------------------------------------------------------------------------- */

void onnx_softmax(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  if (x == NULL) return;
  const int64_t axis = onnx_integer(g, "axis", g->version < 13 ? 1 : -1);
  if (x->meaning != ONNX_SCORES || onnx_shape_axis(&x->shape, axis) != x->shape.rank - 1) {
    onnx_refuse(g, "expected scores of queries and keys, and the last axis");
    return;
  }
  onnx_tensor *const t = onnx_meant(g, &x->shape, ONNX_WEIGHTS, x->of[0]);
  if (t == NULL) return;
  t->of[1] = x->of[1];
  t->of[2] = x->of[2];
  t->scale = x->scale;
  t->divided_by = x->divided_by;
  onnx_result(g, 0, t);
}

/* ---- normalisations ---------------------------------------------------------------------------------------------- */

/* The numbers of input k, so many; NULL and a failure: others. */
static const double *numbers_of(onnx_graph *g, size_t k, int64_t count) {
  const onnx_tensor *const t = onnx_input(g, k);
  if (t != NULL && onnx_tensor_is_constant(t) && (int64_t)t->count == count) return onnx_keep(g, t->number, t->count);
  onnx_refuse(g, "input %zu: expected %lld constant numbers", k, (long long)count);
  return NULL;
}

void onnx_batch_normalization(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  if (x == NULL) return;
  onnx_attribute(g, "momentum"); /* of training */
  if (x->shape.rank < 2 || onnx_integer(g, "training_mode", 0) != 0 || onnx_integer(g, "spatial", 1) != 1) {
    onnx_refuse(g, "expected channels, and no training");
    return;
  }
  const int64_t channels = x->shape.side[1];
  const step_batchnorm_parameters of = {.weight = numbers_of(g, 1, channels),
                                        .bias = numbers_of(g, 2, channels),
                                        .mean = numbers_of(g, 3, channels),
                                        .variance = numbers_of(g, 4, channels),
                                        .epsilon = onnx_number(g, "epsilon", (double)1e-5f),
                                        .cols = (int)channels};
  onnx_tensor *const rows = onnx_move_axis(g, x, 1, x->shape.rank - 1);
  const int value = rows != NULL ? onnx_place(g, rows, channels) : 0;
  if (g->b.status != ATTCERT_OK) return;
  onnx_tensor *const t = onnx_placed(g, &rows->shape, step_batchnorm_add(&g->b, value, &of));
  onnx_result(g, 0, onnx_move_axis(g, t, x->shape.rank - 1, 1));
}

onnx_tensor *onnx_layernorm(onnx_graph *g, onnx_tensor *x, const double *gain, const double *bias, double epsilon) {
  const int64_t cols = onnx_shape_last(&x->shape);
  double *const ones = network_new(&g->b, (size_t)cols, sizeof *ones), *const zeros = network_new(&g->b, (size_t)cols,
                                                                                                  sizeof *zeros);
  for (int64_t k = 0; ones != NULL && k < cols; k++) ones[k] = 1.0;
  const int value = onnx_place(g, x, cols);
  const layernorm_weights of = {gain != NULL ? onnx_keep(g, gain, (size_t)cols) : ones, bias != NULL ? bias : zeros,
                                epsilon};
  if (epsilon < 0.0) onnx_refuse(g, "epsilon %g, expected none below 0", epsilon);
  if (g->b.status != ATTCERT_OK) return NULL;
  return onnx_placed(g, &x->shape, step_layernorm_add(&g->b, value, network_copy(&g->b, &of, sizeof of)));
}

void onnx_layer_normalization(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  if (x == NULL) return;
  const int64_t cols = onnx_shape_last(&x->shape), axis = onnx_integer(g, "axis", -1);
  if (onnx_shape_axis(&x->shape, axis) != x->shape.rank - 1 || onnx_integer(g, "stash_type", 1) != 1 ||
      g->node->n_output > 1) {
    onnx_refuse(g, "expected the last axis and one output");
    return;
  }
  const double *const gain = numbers_of(g, 1, cols), *const bias = onnx_has_input(g, 2) ? numbers_of(g, 2, cols) : NULL;
  const double epsilon = onnx_number(g, "epsilon", (double)1e-5f);
  if (g->b.status == ATTCERT_OK) onnx_result(g, 0, onnx_layernorm(g, x, gain, bias, epsilon));
}
