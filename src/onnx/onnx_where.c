/* Where: entries chosen by a constant condition. */
#include "onnx/onnx_operators.h"

#include <math.h>

/* -inf where the condition says so, else scores: the mask is added to them. */
static onnx_tensor *masked_scores(onnx_graph *g, const onnx_tensor *condition, const onnx_tensor *number,
                                  const onnx_tensor *scores, bool where) {
  onnx_tensor *const bias = onnx_new(g, &scores->shape, false, true);
  for (size_t k = 0; bias != NULL && k < bias->count; k++) {
    const bool masked = (condition->number[k] != 0.0) == where;
    if (masked && number->number[k] != -INFINITY) {
      onnx_refuse(g, "scores replaced by %g, expected -inf", number->number[k]);
      return NULL;
    }
    bias->number[k] = masked ? -INFINITY : 0.0;
    bias->masks = bias->masks || masked;
  }
  return bias != NULL ? onnx_biased_scores(g, scores, bias) : NULL;
}

static onnx_tensor *choose(onnx_graph *g, const onnx_tensor *condition, onnx_tensor *a, onnx_tensor *b) {
  onnx_settle(g, a);
  onnx_settle(g, b);
  if (g->b.status != ATTCERT_OK) return NULL;
  const bool apart = a->value >= 0 && b->value >= 0 && a->value != b->value;
  if (apart || ((a->masks || b->masks) && (a->value >= 0 || b->value >= 0))) {
    onnx_refuse(g, apart ? "of two computed tensors, expected a constant beside one"
                         : "-inf in a computed tensor, expected scores of queries and keys");
    return NULL;
  }
  onnx_tensor *const t = onnx_new(g, &condition->shape, a->value >= 0 || b->value >= 0, true);
  for (size_t k = 0; t != NULL && k < t->count; k++) onnx_tensor_take(t, k, condition->number[k] != 0.0 ? a : b, k);
  for (size_t k = 0; t != NULL && k < t->count; k++) t->masks = t->masks || t->number[k] == -INFINITY;
  if (t != NULL) t->value = a->value >= 0 ? a->value : b->value;
  return t;
}

void onnx_where(onnx_graph *g) {
  onnx_tensor *condition = onnx_input(g, 0), *a = onnx_input(g, 1), *b = onnx_input(g, 2);
  onnx_shape shape, all;
  if (condition == NULL || a == NULL || b == NULL) return;
  if (!onnx_tensor_is_constant(condition) || condition->masks ||
      !onnx_shape_broadcast(&shape, &condition->shape, &a->shape) || !onnx_shape_broadcast(&all, &shape, &b->shape) ||
      onnx_shape_count(&all) == 0) {
    onnx_refuse(g, "expected a constant condition, and sides that fit each other");
    return;
  }
  const bool first = a->meaning == ONNX_SCORES, scores = first || b->meaning == ONNX_SCORES;
  const onnx_tensor *const number = first ? b : a;
  if (scores && (!onnx_tensor_is_constant(number) || !onnx_shape_equal(&all, first ? &a->shape : &b->shape))) {
    onnx_refuse(g, "scores beside something else than a constant of their sides");
    return;
  }
  condition = onnx_broadcast(g, condition, &all);
  if (!scores || !first) a = onnx_broadcast(g, a, &all);
  if (!scores || first) b = onnx_broadcast(g, b, &all);
  if (g->b.status != ATTCERT_OK) return;
  onnx_result(g, 0,
              !scores ? choose(g, condition, a, b)
              : first ? masked_scores(g, condition, b, a, false)
                      : masked_scores(g, condition, a, b, true));
}
