#include "onnx/onnx_graph.h"

#include "base/arrays.h"
#include "base/growing_array.h"
#include "network/arrange/step_arrange.h"

#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void onnx_refuse(onnx_graph *g, const char *what, ...) {
  char text[384];
  va_list arguments;
  if (g->b.status != ATTCERT_OK) return;
  va_start(arguments, what);
  vsnprintf(text, sizeof text, what, arguments);
  va_end(arguments);
  const char *const name = g->node->name != NULL && g->node->name[0] != '\0' ? g->node->name : "no name";
  g->b.status = attcert_fail(g->b.err, ATTCERT_INPUT, "node %zu (%s, %s): %s", g->number, g->node->op_type, name, text);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  onnx_tensor *tensor;
} named;

static int by_name(const void *a, const void *b) {
  return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

onnx_tensor *onnx_named(const onnx_graph *g, const char *name) {
  const named key = {name, NULL};
  named *const *const found = tfind(&key, &g->named, by_name);
  return found != NULL ? (*found)->tensor : NULL;
}

void onnx_name(onnx_graph *g, const char *name, onnx_tensor *t) {
  if (g->b.status != ATTCERT_OK) return;
  named *const entry = array_new(1, sizeof *entry, g->b.err, "a tensor's name");
  if (entry == NULL) {
    g->b.status = ATTCERT_RESOURCE;
    return;
  }
  *entry = (named){name, t};
  named *const *const at = tsearch(entry, &g->named, by_name);
  if (at != NULL && *at == entry) return;
  free(entry);
  g->b.status = at == NULL ? array_out_of_memory(g->b.err, 0, "a tensor's name")
                           : attcert_fail(g->b.err, ATTCERT_INPUT, "two tensors of the name %s", name);
}

void onnx_clear(onnx_graph *g) {
  while (g->named != NULL) {
    named *const entry = *(named **)g->named; /* of the tree's root */
    tdelete(entry, &g->named, by_name);
    free(entry);
  }
  for (int k = 0; k < g->tensors; k++) onnx_tensor_free(g->tensor[k]);
  free(g->tensor);
}

void onnx_result(onnx_graph *g, size_t k, onnx_tensor *t) {
  if (g->b.status != ATTCERT_OK) return;
  if (k < g->node->n_output && g->node->output[k][0] != '\0') onnx_name(g, g->node->output[k], t);
}

/* ---- what the node says ------------------------------------------------------------------------------------------ */

bool onnx_has_input(const onnx_graph *g, size_t k) {
  return k < g->node->n_input && g->node->input[k][0] != '\0';
}

/* Operators that move a constant's entries, or add it to scores. */
static bool takes_masks(const char *operator) {
  static const char *const names[] = {"Add",    "Where",     "Identity", "Cast",  "Reshape",
                                      "Expand", "Unsqueeze", "Squeeze",  "Slice", "Transpose"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    if (strcmp(operator, names[k]) == 0) return true;
  }
  return false;
}

onnx_tensor *onnx_input(onnx_graph *g, size_t k) {
  if (g->b.status != ATTCERT_OK) return NULL;
  g->inputs_read |= (uint64_t)1 << (k < 63 ? k : 63);
  if (!onnx_has_input(g, k)) {
    onnx_refuse(g, "no input %zu", k);
    return NULL;
  }
  onnx_tensor *const t = onnx_named(g, g->node->input[k]);
  if (t == NULL) onnx_refuse(g, "input %s is no tensor of the file and no output of a node before", g->node->input[k]);
  if (t == NULL || !t->masks || takes_masks(g->node->op_type)) return t;
  onnx_refuse(g, "input %s has numbers that are -inf, expected them in what is added to scores", g->node->input[k]);
  return NULL;
}

const Onnx__AttributeProto *onnx_attribute(onnx_graph *g, const char *name) {
  for (size_t k = 0; k < g->node->n_attribute && k < 64; k++) {
    const Onnx__AttributeProto *const a = g->node->attribute[k];
    if (a->name == NULL || strcmp(a->name, name) != 0) continue;
    g->read |= (uint64_t)1 << k;
    return a;
  }
  return NULL;
}

int64_t onnx_integer(onnx_graph *g, const char *name, int64_t otherwise) {
  const Onnx__AttributeProto *const a = onnx_attribute(g, name);
  if (a == NULL) return otherwise;
  if (!a->has_i) onnx_refuse(g, "attribute %s: expected a whole number", name);
  return a->has_i ? a->i : otherwise;
}

double onnx_number(onnx_graph *g, const char *name, double otherwise) {
  const Onnx__AttributeProto *const a = onnx_attribute(g, name);
  if (a == NULL) return otherwise;
  if (!a->has_f || !isfinite((double)a->f)) onnx_refuse(g, "attribute %s: expected a finite number", name);
  return a->has_f ? (double)a->f : otherwise;
}

/* Those of a constant. */
static int list_of_tensor(int64_t list[ONNX_RANK_MOST], onnx_graph *g, const onnx_tensor *t, const char *what) {
  if (t == NULL) return -1;
  if (!onnx_tensor_is_constant(t) || t->masks || t->shape.rank > 1 || t->count > ONNX_RANK_MOST) {
    onnx_refuse(g, "%s: expected at most %d constant whole numbers", what, ONNX_RANK_MOST);
    return -1;
  }
  for (size_t k = 0; k < t->count; k++) {
    if (!(t->number[k] == floor(t->number[k]))) onnx_refuse(g, "%s: %g, expected a whole number", what, t->number[k]);
    /* The end of a slice may be the largest integer there is. */
    list[k] = fabs(t->number[k]) < 0x1p53 ? (int64_t)t->number[k] : t->number[k] > 0.0 ? INT64_MAX : INT64_MIN;
  }
  return (int)t->count;
}

int onnx_list(int64_t list[ONNX_RANK_MOST], onnx_graph *g, size_t k, const char *attribute) {
  if (onnx_has_input(g, k)) return list_of_tensor(list, g, onnx_input(g, k), g->node->input[k]);
  const Onnx__AttributeProto *const a = onnx_attribute(g, attribute);
  if (a == NULL) return -1;
  if (a->n_ints > ONNX_RANK_MOST) {
    onnx_refuse(g, "attribute %s: %zu numbers, expected at most %d", attribute, a->n_ints, ONNX_RANK_MOST);
    return -1;
  }
  memcpy(list, a->ints, a->n_ints * sizeof *list);
  return (int)a->n_ints;
}

double onnx_constant(onnx_graph *g, size_t k) {
  const onnx_tensor *const t = onnx_input(g, k);
  if (t != NULL && onnx_tensor_is_constant(t) && t->count == 1) return t->number[0];
  onnx_refuse(g, "input %zu: expected one constant number", k);
  return 1.0;
}

/* ---- tensors ----------------------------------------------------------------------------------------------------- */

onnx_tensor *onnx_own(onnx_graph *g, onnx_tensor *t) {
  if (t == NULL && g->b.status == ATTCERT_OK) g->b.status = ATTCERT_RESOURCE;
  if (g->b.status == ATTCERT_OK)
    g->b.status = growing_array_room(&g->tensor, &g->capacity, (size_t)g->tensors, sizeof(onnx_tensor *), g->b.err,
                                     "the tensors of a graph");
  if (g->b.status == ATTCERT_OK) return g->tensor[g->tensors++] = t;
  onnx_tensor_free(t);
  return NULL;
}

/* A few lines may ask for more than any machine has. */
enum { ENTRIES_MOST = 1 << 26 };

onnx_tensor *onnx_new(onnx_graph *g, const onnx_shape *shape, bool entries, bool numbers) {
  char text[ONNX_SHAPE_TEXT_SIZE];
  const size_t count = onnx_shape_count(shape);
  if (count == 0)
    onnx_refuse(g, "shape %s, expected sides above 0 of at most 2^26 entries", onnx_shape_text(text, shape));
  if (entries || numbers) g->entries += count;
  if (g->entries > ENTRIES_MOST) onnx_refuse(g, "tensors of more than 2^26 entries in all");
  return g->b.status == ATTCERT_OK ? onnx_own(g, onnx_tensor_new(shape, entries, numbers, g->b.err)) : NULL;
}

onnx_tensor *onnx_meant(onnx_graph *g, const onnx_shape *shape, onnx_meaning meaning, onnx_tensor *of) {
  onnx_tensor *const t = onnx_new(g, shape, false, false);
  if (t == NULL) return NULL;
  t->meaning = meaning;
  t->of[0] = of;
  return t;
}

void onnx_strides(int64_t stride[ONNX_RANK_MOST], const onnx_shape *shape) {
  int64_t apart = 1;
  for (int k = shape->rank - 1; k >= 0; k--) {
    stride[k] = apart;
    apart *= shape->side[k];
  }
}

onnx_tensor *onnx_moved(onnx_graph *g, onnx_tensor *t, const onnx_shape *shape, int64_t offset,
                        const int64_t stride[ONNX_RANK_MOST]) {
  onnx_settle(g, t);
  if (g->b.status != ATTCERT_OK) return NULL;
  onnx_tensor *const moved = onnx_new(g, shape, t->entry != NULL, t->number != NULL);
  if (moved == NULL) return NULL;
  int64_t index[ONNX_RANK_MOST] = {0}, from = offset;
  moved->value = t->value;
  moved->masks = t->masks;
  for (size_t to = 0; to < moved->count; to++) {
    onnx_tensor_take(moved, to, t, (size_t)from);
    for (int k = shape->rank - 1; k >= 0; k--) {
      from += stride[k];
      if (++index[k] < shape->side[k]) break;
      from -= stride[k] * shape->side[k];
      index[k] = 0;
    }
  }
  return moved;
}

onnx_tensor *onnx_broadcast(onnx_graph *g, onnx_tensor *t, const onnx_shape *shape) {
  if (t == NULL || onnx_shape_equal(&t->shape, shape)) return t;
  int64_t own[ONNX_RANK_MOST], stride[ONNX_RANK_MOST] = {0};
  onnx_strides(own, &t->shape);
  for (int k = 1; k <= t->shape.rank; k++)
    stride[shape->rank - k] = t->shape.side[t->shape.rank - k] == 1 ? 0 : own[t->shape.rank - k];
  return onnx_moved(g, t, shape, 0, stride);
}

onnx_tensor *onnx_move_axis(onnx_graph *g, onnx_tensor *t, int from, int to) {
  if (t == NULL || from == to) return t;
  onnx_shape shape = {.rank = t->shape.rank};
  int64_t own[ONNX_RANK_MOST], stride[ONNX_RANK_MOST];
  onnx_strides(own, &t->shape);
  for (int k = 0, other = 0; k < shape.rank; k++) {
    if (other == from) other++;
    const int source = k == to ? from : other++;
    shape.side[k] = t->shape.side[source];
    stride[k] = own[source];
  }
  return onnx_moved(g, t, &shape, 0, stride);
}

onnx_tensor *onnx_reshaped(onnx_graph *g, onnx_tensor *t, const onnx_shape *shape) {
  int64_t stride[ONNX_RANK_MOST];
  onnx_strides(stride, shape);
  return t != NULL ? onnx_moved(g, t, shape, 0, stride) : NULL;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

const double *onnx_keep(onnx_graph *g, const double *numbers, size_t count) {
  return network_copy(&g->b, numbers, count * sizeof *numbers);
}

onnx_tensor *onnx_placed(onnx_graph *g, const onnx_shape *shape, int value) {
  onnx_tensor *const t = onnx_new(g, shape, true, false);
  if (t == NULL) return NULL;
  t->value = value;
  for (size_t k = 0; k < t->count; k++) t->entry[k] = (int)k;
  return t;
}

/* Whether t is the value, entry by entry, of so many columns. */
static bool lies_there(const onnx_graph *g, const onnx_tensor *t, int cols) {
  if (t->value < 0 || network_cols(g->b.network, t->value) != cols) return false;
  if (network_entries(g->b.network, t->value) != t->count) return false;
  for (size_t k = 0; k < t->count; k++) {
    if (t->entry[k] != (int)k) return false;
  }
  return true;
}

int onnx_place(onnx_graph *g, onnx_tensor *t, int64_t cols) {
  onnx_settle(g, t);
  if (g->b.status != ATTCERT_OK || lies_there(g, t, (int)cols)) return g->b.status == ATTCERT_OK ? t->value : 0;
  int *const from = network_new(&g->b, t->count, sizeof *from);
  if (from == NULL) return 0;
  for (size_t k = 0; k < t->count; k++) from[k] = t->entry != NULL ? t->entry[k] : -1;
  const step_arrangement moved = {.rows = (int)((int64_t)t->count / cols),
                                  .cols = (int)cols,
                                  .from = from,
                                  .constant = t->number != NULL ? onnx_keep(g, t->number, t->count) : NULL};
  return step_arrange_add(&g->b, t->value < 0 ? 0 : t->value, &moved);
}
