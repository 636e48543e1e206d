#include "network/join/step_join.h"
#include "onnx/onnx_operators.h"

/* x from `first` on along an axis, `count` entries, `apart` from each other. */
static onnx_tensor *cut(onnx_graph *g, onnx_tensor *x, int axis, int64_t first, int64_t count, int64_t apart) {
  onnx_shape shape = x->shape;
  int64_t stride[ONNX_RANK_MOST];
  onnx_strides(stride, &x->shape);
  const int64_t offset = first * stride[axis];
  shape.side[axis] = count;
  stride[axis] *= apart;
  return onnx_moved(g, x, &shape, offset, stride);
}

static int64_t clamp(int64_t x, int64_t least, int64_t most) {
  return x < least ? least : x > most ? most : x;
}

/* Places before the end count from there; INT64_MIN is before all. */
static int64_t from_end(int64_t at, int64_t side) {
  return at < 0 ? (at < -side ? -1 : at + side) : at;
}

void onnx_slice(onnx_graph *g) {
  onnx_tensor *x = onnx_input(g, 0);
  int64_t first[ONNX_RANK_MOST], last[ONNX_RANK_MOST], axis[ONNX_RANK_MOST], apart[ONNX_RANK_MOST];
  const int starts = onnx_list(first, g, 1, "starts"), ends = onnx_list(last, g, 2, "ends");
  const int axes = onnx_list(axis, g, 3, "axes"), steps = onnx_has_input(g, 4) ? onnx_list(apart, g, 4, "") : -1;
  if (starts < 1 || ends != starts || (axes >= 0 && axes != starts) || (steps >= 0 && steps != starts)) {
    onnx_refuse(g, "expected as many constant starts, ends, axes and steps");
    return;
  }
  for (int k = 0; k < starts && x != NULL && g->b.status == ATTCERT_OK; k++) {
    const int at = onnx_shape_axis(&x->shape, axes >= 0 ? axis[k] : k);
    const int64_t by = steps >= 0 ? apart[k] : 1;
    if (at < 0 || by < 1) {
      onnx_refuse(g, "expected an axis that there is, and a step above 0");
      return;
    }
    const int64_t side = x->shape.side[at], from = clamp(from_end(first[k], side), 0, side);
    const int64_t to = clamp(from_end(last[k], side), 0, side), length = to > from ? to - from : 0;
    x = cut(g, x, at, from, (length + by - 1) / by, by);
  }
  onnx_result(g, 0, x);
}

void onnx_split(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0);
  int64_t part[ONNX_RANK_MOST], first = 0;
  const int64_t axis = onnx_integer(g, "axis", 0), outputs = (int64_t)g->node->n_output;
  const int parts = onnx_list(part, g, 1, "split");
  if (x == NULL) return;
  const int at = onnx_shape_axis(&x->shape, axis);
  onnx_attribute(g, "num_outputs");
  if (at < 0 || outputs < 1 || (parts >= 0 && parts != outputs) || (parts < 0 && x->shape.side[at] % outputs != 0)) {
    onnx_refuse(g, "expected an axis that there is, in as many parts as outputs");
    return;
  }
  for (int64_t k = 0; k < outputs && g->b.status == ATTCERT_OK; k++) {
    const int64_t count = parts >= 0 ? part[k] : x->shape.side[at] / outputs;
    if (count < 1 || count > x->shape.side[at] - first) {
      onnx_refuse(g, "parts that are not those of the side");
      return;
    }
    onnx_result(g, (size_t)k, cut(g, x, at, first, count, 1));
    first += count;
  }
  if (first != x->shape.side[at]) onnx_refuse(g, "parts that are not all of the side");
}

/* Entry k of the list of indices, from 0; an index that is none is refused. */
static int64_t index_at(onnx_graph *g, const onnx_tensor *indices, size_t k, int64_t side) {
  const double at = indices->number[k];
  if (!(at >= (double)-side && at < (double)side)) {
    onnx_refuse(g, "index %g, expected one below %lld", at, (long long)side);
    return 0;
  }
  return (int64_t)at < 0 ? (int64_t)at + side : (int64_t)at;
}

void onnx_gather(onnx_graph *g) {
  onnx_tensor *const x = onnx_input(g, 0), *const indices = onnx_input(g, 1);
  const int64_t axis = onnx_integer(g, "axis", 0);
  if (x == NULL || indices == NULL) return;
  const int at = onnx_shape_axis(&x->shape, axis), more = indices->shape.rank;
  if (at < 0 || !onnx_tensor_is_constant(indices) || x->shape.rank - 1 + more > ONNX_RANK_MOST) {
    onnx_refuse(g, "expected constant indices and an axis that there is");
    return;
  }
  onnx_settle(g, x);
  onnx_shape shape = {.rank = x->shape.rank - 1 + more};
  for (int k = 0; k < shape.rank; k++)
    shape.side[k] = k < at          ? x->shape.side[k]
                    : k < at + more ? indices->shape.side[k - at]
                                    : x->shape.side[k - more + 1];
  onnx_tensor *const t = onnx_new(g, &shape, x->entry != NULL, x->number != NULL);
  int64_t stride[ONNX_RANK_MOST];
  onnx_strides(stride, &x->shape);
  const size_t inner = (size_t)stride[at], side = (size_t)x->shape.side[at];
  for (size_t to = 0; t != NULL && to < t->count && g->b.status == ATTCERT_OK; to++) {
    const size_t before = to / (inner * indices->count), k = to / inner % indices->count;
    const size_t index = (size_t)index_at(g, indices, k, (int64_t)side);
    onnx_tensor_take(t, to, x, (before * side + index) * inner + to % inner);
  }
  if (t != NULL) t->value = x->value;
  onnx_result(g, 0, t);
}

/* ---- concatenation ----------------------------------------------------------------------------------------------- */

/* The value that all inputs have, or are constants beside; -2: there are several. */
static int common_value(onnx_graph *g) {
  int value = -1;
  for (size_t k = 0; k < g->node->n_input; k++) {
    onnx_tensor *const t = onnx_input(g, k);
    if (t != NULL) onnx_settle(g, t);
    if (t == NULL || t->value < 0) continue;
    if (value >= 0 && value != t->value) return -2;
    value = t->value;
  }
  return value;
}

static onnx_tensor *concatenate(onnx_graph *g, const onnx_shape *shape, int axis, int value) {
  onnx_tensor *const all = onnx_new(g, shape, value >= 0, true);
  if (all == NULL) return NULL;
  int64_t stride[ONNX_RANK_MOST];
  onnx_strides(stride, shape);
  size_t first = 0; /* along the axis */
  all->value = value;
  for (size_t k = 0; k < g->node->n_input; k++) {
    const onnx_tensor *const t = onnx_input(g, k);
    const size_t block = (size_t)t->shape.side[axis] * (size_t)stride[axis];
    const size_t whole = (size_t)shape->side[axis] * (size_t)stride[axis];
    for (size_t from = 0; from < t->count; from++)
      onnx_tensor_take(all, from / block * whole + first * (size_t)stride[axis] + from % block, t, from);
    first += (size_t)t->shape.side[axis];
  }
  return all;
}

/* Of several values: side by side, along the last axis. */
static onnx_tensor *join(onnx_graph *g, const onnx_shape *shape, int axis) {
  if (axis != shape->rank - 1) {
    onnx_refuse(g, "of several computed tensors, expected the last axis");
    return NULL;
  }
  int value = -1;
  for (size_t k = 0; k < g->node->n_input && g->b.status == ATTCERT_OK; k++) {
    onnx_tensor *const t = onnx_input(g, k);
    const int part = t != NULL ? onnx_place(g, t, onnx_shape_last(&t->shape)) : 0;
    value = value < 0 ? part : step_join_add(&g->b, value, part);
  }
  return onnx_placed(g, shape, value);
}

void onnx_concat(onnx_graph *g) {
  const onnx_tensor *const x = onnx_input(g, 0);
  const int64_t axis = onnx_integer(g, "axis", 0);
  if (x == NULL) return;
  onnx_shape shape = x->shape;
  const int at = onnx_shape_axis(&shape, axis);
  for (size_t k = 1; k < g->node->n_input; k++) {
    const onnx_tensor *const t = onnx_input(g, k);
    if (t == NULL || at < 0) break;
    onnx_shape other = t->shape;
    if (other.rank == shape.rank) {
      const int64_t side = other.side[at];
      other.side[at] = shape.side[at];
      if (onnx_shape_equal(&other, &shape)) {
        shape.side[at] += side;
        continue;
      }
    }
    onnx_refuse(g, "input %zu has other sides", k);
  }
  if (at < 0) onnx_refuse(g, "expected an axis that there is");
  const int value = common_value(g);
  if (g->b.status == ATTCERT_OK)
    onnx_result(g, 0, value == -2 ? join(g, &shape, at) : concatenate(g, &shape, at, value));
}
