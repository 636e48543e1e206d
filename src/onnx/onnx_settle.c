#include "onnx/onnx_operators.h"

#include "base/arrays.h"

#include <math.h>
#include <string.h>

/* x - mean x as a matrix product, I - 1 1^T / d, whose entries are doubles where d is a power of 2. */
static onnx_tensor *center(onnx_graph *g, onnx_tensor *x) {
  const int64_t d = onnx_shape_last(&x->shape);
  int exponent;
  if (frexp((double)d, &exponent) != 0.5) {
    onnx_refuse(g, "x - mean x of %lld entries: expected a layer normalisation, or a power of 2", (long long)d);
    return NULL;
  }
  double *const matrix = network_new(&g->b, (size_t)(d * d), sizeof *matrix);
  for (int64_t k = 0; matrix != NULL && k < d * d; k++) matrix[k] = (k % (d + 1) == 0 ? 1.0 : 0.0) - 1.0 / (double)d;
  return matrix != NULL ? onnx_affine(g, x, matrix, NULL, d) : NULL;
}

static const char *const meanings[] = {[ONNX_SCORES] = "scores without a softmax",
                                       [ONNX_WEIGHTS] = "weights of a softmax without values",
                                       [ONNX_MEAN] = "the mean of a side by itself",
                                       [ONNX_SQUARES] = "squares without their mean",
                                       [ONNX_VARIANCE] = "a variance by itself",
                                       [ONNX_DEVIATION] = "a standard deviation by itself",
                                       [ONNX_SIGMOID] = "a logistic function without its factor"};

void onnx_settle(onnx_graph *g, onnx_tensor *t) {
  if (g->b.status != ATTCERT_OK || t->entry != NULL || t->number != NULL) return;
  const onnx_tensor *of = NULL;
  switch (t->meaning) {
  case ONNX_PRODUCT:
    of = onnx_affine(g, t->of[0], t->of[1]->number, NULL, onnx_shape_last(&t->shape));
    break;
  case ONNX_CENTERED:
    of = center(g, t->of[0]);
    break;
  case ONNX_STANDARDIZED:
    of = onnx_layernorm(g, t->of[0], t->of[1] != NULL ? t->of[1]->number : NULL, NULL, t->epsilon);
    break;
  case ONNX_SQUARE:
  case ONNX_CUBE:
  case ONNX_BENT:
  case ONNX_ERF:
  case ONNX_TANH:
  case ONNX_GATE:
    of = onnx_activation_settle(g, t);
    break;
  default:
    onnx_refuse(g, "reads %s, which is not understood", meanings[t->meaning]);
  }
  if (of == NULL) return;
  t->entry = array_new(t->count, sizeof *t->entry, g->b.err, "the entries of a tensor");
  if (t->entry == NULL) {
    g->b.status = ATTCERT_RESOURCE;
    return;
  }
  memcpy(t->entry, of->entry, t->count * sizeof *t->entry);
  t->value = of->value;
}
