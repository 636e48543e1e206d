#include "onnx/onnx_operators.h"

#include <math.h>
#include <string.h>

void onnx_constant_node(onnx_graph *g) {
  const Onnx__AttributeProto *const value = onnx_attribute(g, "value");
  onnx_tensor *t = NULL;
  if (value == NULL || value->t == NULL) {
    onnx_refuse(g, "expected a constant in the attribute value");
    return;
  }
  g->b.status = onnx_file_tensor(&t, value->t, g->node->output[0], g->b.err);
  if (t != NULL) onnx_result(g, 0, onnx_own(g, t));
}

/* A shape from a list of sides. */
static bool take_shape(onnx_shape *shape, onnx_graph *g, size_t k, const char *attribute) {
  const int rank = onnx_list(shape->side, g, k, attribute);
  if (rank < 0) onnx_refuse(g, "expected a constant shape");
  shape->rank = rank;
  return rank >= 0;
}

void onnx_constant_of_shape(onnx_graph *g) {
  const Onnx__AttributeProto *const value = onnx_attribute(g, "value");
  onnx_tensor *one = NULL;
  onnx_shape shape;
  if (!take_shape(&shape, g, 0, "")) return;
  if (value != NULL && value->t != NULL && g->b.status == ATTCERT_OK)
    g->b.status = onnx_file_tensor(&one, value->t, "value", g->b.err);
  onnx_tensor *const t = onnx_new(g, &shape, false, true);
  for (size_t k = 0; t != NULL && one != NULL && k < t->count; k++) t->number[k] = one->number[0];
  if (t != NULL && one != NULL) t->masks = one->masks;
  onnx_tensor_free(one);
  onnx_result(g, 0, t);
}

void onnx_shape_of(onnx_graph *g) {
  const onnx_tensor *const x = onnx_input(g, 0);
  if (x == NULL) return;
  const int64_t first = onnx_integer(g, "start", 0), last = onnx_integer(g, "end", x->shape.rank);
  if (first != 0 || last != x->shape.rank) onnx_refuse(g, "expected all sides");
  onnx_tensor *const t = onnx_new(g, &(onnx_shape){1, {x->shape.rank}}, false, true);
  for (int k = 0; t != NULL && k < x->shape.rank; k++) t->number[k] = (double)x->shape.side[k];
  onnx_result(g, 0, t);
}

/* Of a cast: numbers that are of the type as they are. */
static bool is_of_type(double x, int64_t to, int64_t whole) {
  if (to == whole) return fabs(x) < 0x1p63 && x == (double)(int64_t)x;
  return x == (double)(float)x;
}

/* Identity; Dropout of a network that is not trained; Cast of what is computed from one type of floating-point numbers
 * to another, which are computed with as they are, and of constants that it leaves as they are. */
void onnx_identity(onnx_graph *g) {
  enum { TYPE_FLOAT = 1, TYPE_INT64 = 7, TYPE_DOUBLE = 11 };
  onnx_tensor *const x = onnx_input(g, 0);
  const int64_t to = onnx_integer(g, "to", TYPE_DOUBLE);
  onnx_attribute(g, "ratio");
  onnx_attribute(g, "seed");
  if (to != TYPE_FLOAT && to != TYPE_INT64 && to != TYPE_DOUBLE)
    onnx_refuse(g, "to type %d, expected float, double or int64", (int)to);
  const bool constant = x != NULL && onnx_tensor_is_constant(x);
  if (to == TYPE_INT64 && !constant) onnx_refuse(g, "to whole numbers of what is computed");
  for (size_t k = 0; constant && to != TYPE_DOUBLE && k < x->count; k++) {
    if (!is_of_type(x->number[k], to, TYPE_INT64))
      onnx_refuse(g, "of %.17g, which is no number of type %d", x->number[k], (int)to);
  }
  if (strcmp(g->node->op_type, "Dropout") == 0) {
    if (onnx_has_input(g, 1)) onnx_input(g, 1); /* the ratio */
    if (onnx_has_input(g, 2) && onnx_constant(g, 2) != 0.0) onnx_refuse(g, "expected no training");
  }
  onnx_result(g, 0, x);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static void reshape_to(onnx_graph *g, onnx_tensor *x, const onnx_shape *shape) {
  char from[ONNX_SHAPE_TEXT_SIZE], to[ONNX_SHAPE_TEXT_SIZE];
  if (x == NULL || g->b.status != ATTCERT_OK) return;
  if (onnx_shape_count(shape) != x->count) {
    onnx_refuse(g, "from %s to %s, expected as many entries", onnx_shape_text(from, &x->shape),
                onnx_shape_text(to, shape));
    return;
  }
  onnx_result(g, 0, onnx_reshaped(g, x, shape));
}

void onnx_reshape(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  onnx_shape shape;
  if (x == NULL || !take_shape(&shape, g, 1, "shape")) return;
  if (onnx_integer(g, "allowzero", 0) != 0) onnx_refuse(g, "attribute allowzero: expected 0");
  int open = -1;
  int64_t rest = (int64_t)x->count;
  for (int k = 0; k < shape.rank; k++) {
    if (shape.side[k] == 0 && k < x->shape.rank) shape.side[k] = x->shape.side[k];
    if (shape.side[k] == -1 && open < 0)
      open = k;
    else if (shape.side[k] > 0)
      rest /= shape.side[k];
  }
  if (open >= 0) shape.side[open] = rest;
  reshape_to(g, x, &shape);
}

void onnx_flatten(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  const int64_t axis = onnx_integer(g, "axis", 1);
  if (x == NULL) return;
  const int at = axis == x->shape.rank ? x->shape.rank : onnx_shape_axis(&x->shape, axis);
  onnx_shape shape = {2, {1, 1}};
  if (at < 0) onnx_refuse(g, "axis %d of %d sides", (int)axis, x->shape.rank);
  for (int k = 0; k < x->shape.rank; k++) shape.side[k < at ? 0 : 1] *= x->shape.side[k];
  reshape_to(g, x, &shape);
}

/* marked[k]: side k is named, of so many. */
static int take_axes(bool marked[ONNX_RANK_MOST], onnx_graph *g, int rank) {
  int64_t axes[ONNX_RANK_MOST];
  const int count = onnx_list(axes, g, 1, "axes");
  memset(marked, 0, ONNX_RANK_MOST * sizeof *marked);
  for (int k = 0; k < count; k++) {
    const int at = onnx_shape_axis(&(onnx_shape){.rank = rank}, axes[k]);
    if (at < 0 || marked[at])
      onnx_refuse(g, "axis %d of %d sides, expected each once", (int)axes[k], rank);
    else
      marked[at] = true;
  }
  return count;
}

void onnx_squeeze(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  bool marked[ONNX_RANK_MOST];
  onnx_shape shape = {0};
  if (x == NULL) return;
  const bool all = take_axes(marked, g, x->shape.rank) < 0;
  for (int k = 0; k < x->shape.rank; k++) {
    if (!all && marked[k] && x->shape.side[k] != 1) onnx_refuse(g, "side %d is no 1", k);
    if (all ? x->shape.side[k] != 1 : !marked[k]) shape.side[shape.rank++] = x->shape.side[k];
  }
  reshape_to(g, x, &shape);
}

void onnx_unsqueeze(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  int64_t axes[ONNX_RANK_MOST];
  bool marked[ONNX_RANK_MOST];
  if (x == NULL) return;
  const int count = onnx_list(axes, g, 1, "axes");
  if (count < 1 || x->shape.rank + count > ONNX_RANK_MOST) {
    onnx_refuse(g, "expected constant axes, %d sides at most", ONNX_RANK_MOST);
    return;
  }
  onnx_shape shape = {.rank = x->shape.rank + count};
  take_axes(marked, g, shape.rank);
  for (int k = 0, from = 0; k < shape.rank && g->b.status == ATTCERT_OK; k++)
    shape.side[k] = marked[k] ? 1 : x->shape.side[from++];
  reshape_to(g, x, &shape);
}

void onnx_transpose(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  int64_t own[ONNX_RANK_MOST], stride[ONNX_RANK_MOST];
  if (x == NULL) return;
  const Onnx__AttributeProto *const order = onnx_attribute(g, "perm");
  onnx_shape shape = {.rank = x->shape.rank};
  onnx_strides(own, &x->shape);
  unsigned seen = 0;
  if (order != NULL && order->n_ints != (size_t)shape.rank) onnx_refuse(g, "perm: expected %d axes", shape.rank);
  for (int k = 0; k < shape.rank && g->b.status == ATTCERT_OK; k++) {
    const int64_t from = order != NULL ? order->ints[k] : shape.rank - 1 - k;
    if (from < 0 || from >= shape.rank || (seen >> from & 1u) != 0) {
      onnx_refuse(g, "perm: expected each axis once");
      return;
    }
    seen |= 1u << from;
    shape.side[k] = x->shape.side[from];
    stride[k] = own[from];
  }
  if (g->b.status == ATTCERT_OK) onnx_result(g, 0, onnx_moved(g, x, &shape, 0, stride));
}

void onnx_expand(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  onnx_shape asked, shape;
  if (x == NULL || !take_shape(&asked, g, 1, "")) return;
  if (!onnx_shape_broadcast(&shape, &x->shape, &asked) || onnx_shape_count(&shape) == 0) {
    onnx_refuse(g, "to a shape that it does not broadcast to");
    return;
  }
  onnx_result(g, 0, onnx_broadcast(g, x, &shape));
}
