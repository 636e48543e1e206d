#include "onnx/onnx_inputs.h"

#include "network/scale/step_scale.h"
#include "network/sum/step_sum.h"

#include <stdio.h>
#include <string.h>

void onnx_describe(char text[256], const char *name, const onnx_shape *shape) {
  char sides[ONNX_SHAPE_TEXT_SIZE];
  snprintf(text, 256, "%.160s %.90s", name, onnx_shape_text(sides, shape));
}

/* constant: its numbers may be whole ones or booleans. */
static attcert_status input_shape(onnx_shape *shape, const Onnx__ValueInfoProto *input, bool constant,
                                  attcert_error *err) {
  enum { TYPE_FLOAT = 1, TYPE_INT32 = 6, TYPE_INT64 = 7, TYPE_BOOL = 9, TYPE_DOUBLE = 11 };
  const Onnx__TypeProto__Tensor *const of = input->type != NULL ? input->type->tensor_type : NULL;
  const int type = of != NULL ? of->elem_type : 0;
  const bool numbers = type == TYPE_FLOAT || type == TYPE_DOUBLE ||
                       (constant && (type == TYPE_INT32 || type == TYPE_INT64 || type == TYPE_BOOL));
  if (!numbers || of->shape == NULL || of->shape->n_dim > ONNX_RANK_MOST)
    return attcert_fail(err, ATTCERT_INPUT, "input %s: expected a tensor of floats or doubles, of %d sides at most",
                        input->name, ONNX_RANK_MOST);
  *shape = (onnx_shape){.rank = (int)of->shape->n_dim};
  for (int k = 0; k < shape->rank; k++) {
    const Onnx__TensorShapeProto__Dimension *const side = of->shape->dim[k];
    const bool said = side->has_dim_value && side->dim_value > 0;
    shape->side[k] = said ? side->dim_value : 1;
    if (!said && k > 0)
      return attcert_fail(err, ATTCERT_INPUT, "input %s: side %d is not said, expected a number", input->name, k);
  }
  if (onnx_shape_count(shape) > 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "input %s: expected at most 2^26 entries", input->name);
}

/* The value center + half t of value 0. */
static int value_of_box(onnx_graph *g, const onnx_box *box) {
  const size_t count = (size_t)box->count;
  const scale_weights half = {onnx_keep(g, box->half, count)};
  onnx_tensor *const center = onnx_new(g, &(onnx_shape){2, {1, box->count}}, false, true);
  if (center == NULL) return 0;
  memcpy(center->number, box->center, count * sizeof *center->number);
  const int moved = step_scale_add(&g->b, 0, network_copy(&g->b, &half, sizeof half));
  return step_sum_add(&g->b, moved, onnx_place(g, center, box->count));
}

static bool is_named(const char *name, const char *other, int length) {
  return strlen(name) == (size_t)length && strncmp(name, other, (size_t)length) == 0;
}

static const onnx_given *given_as(const onnx_inputs *inputs, const char *name) {
  for (int k = 0; inputs != NULL && k < inputs->count; k++)
    if (is_named(name, inputs->given[k].name, inputs->given[k].length)) return &inputs->given[k];
  return NULL;
}

/* Whether the graph's input k is no stored tensor. */
static bool is_asked(const onnx_graph *g, const Onnx__GraphProto *graph, size_t k) {
  return graph->input[k]->name != NULL && onnx_named(g, graph->input[k]->name) == NULL;
}

/* "x, y and z": the inputs that are asked for. */
static void list_names(char *text, size_t size, const onnx_graph *g, const Onnx__GraphProto *graph) {
  size_t left = 0, length = 0;
  text[0] = '\0';
  for (size_t k = 0; k < graph->n_input; k++) left += is_asked(g, graph, k);
  for (size_t k = 0, told = 0; k < graph->n_input && length < size - 1; k++) {
    if (!is_asked(g, graph, k)) continue;
    const char *const between = told == 0 ? "" : told + 1 == left ? " and " : ", ";
    const int more = snprintf(text + length, size - length, "%s%.80s", between, graph->input[k]->name);
    length = more > 0 && (size_t)more < size - length ? length + (size_t)more : size - 1;
    told++;
  }
}

/* Every name is one of an input that is asked for. */
static attcert_status check_name(const onnx_graph *g, const Onnx__GraphProto *graph, const char *name, int length) {
  char names[256];
  for (size_t k = 0; k < graph->n_input; k++)
    if (is_asked(g, graph, k) && is_named(graph->input[k]->name, name, length)) return ATTCERT_OK;
  list_names(names, sizeof names, g, graph);
  return attcert_fail(g->b.err, ATTCERT_INPUT, "no input %.*s, expected %s", length, name, names);
}

static attcert_status check_names(const onnx_graph *g, const Onnx__GraphProto *graph, const onnx_inputs *inputs) {
  attcert_status status = ATTCERT_OK;
  if (inputs == NULL) return status;
  if (inputs->name != NULL) status = check_name(g, graph, inputs->name, inputs->length);
  for (int k = 0; k < inputs->count && status == ATTCERT_OK; k++) {
    const onnx_given *const of = &inputs->given[k];
    status = check_name(g, graph, of->name, of->length);
    for (int j = 0; j < k && status == ATTCERT_OK; j++) {
      if (inputs->given[j].length == of->length && strncmp(inputs->given[j].name, of->name, (size_t)of->length) == 0)
        status =
            attcert_fail(g->b.err, ATTCERT_INPUT, "input %.*s is given twice, expected once", of->length, of->name);
    }
  }
  return status;
}

static attcert_status add_constant(onnx_graph *g, const Onnx__ValueInfoProto *input, const onnx_given *given) {
  onnx_shape shape;
  attcert_status status = input_shape(&shape, input, true, g->b.err);
  if (status != ATTCERT_OK) return status;
  if (onnx_shape_count(&shape) != given->count)
    return attcert_fail(g->b.err, ATTCERT_INPUT, "input %s: %zu numbers, expected %zu", input->name, given->count,
                        onnx_shape_count(&shape));
  onnx_tensor *const t = onnx_new(g, &shape, false, true);
  if (t == NULL) return g->b.status;
  memcpy(t->number, given->number, given->count * sizeof *t->number);
  onnx_name(g, input->name, t);
  return g->b.status;
}

static attcert_status add_moving(onnx_graph *g, char text[256], const Onnx__ValueInfoProto *input,
                                 const onnx_box *box) {
  onnx_shape shape;
  const attcert_status status = input_shape(&shape, input, false, g->b.err);
  if (status != ATTCERT_OK) return status;
  g->b.network->tokens = 1;
  g->b.network->dim = (int)onnx_shape_count(&shape);
  onnx_describe(text, input->name, &shape);
  if (box != NULL && box->count != g->b.network->dim)
    return attcert_fail(g->b.err, ATTCERT_INPUT, "input %s, expected one of %d numbers", text, box->count);
  onnx_name(g, input->name, onnx_placed(g, &shape, box != NULL ? value_of_box(g, box) : 0));
  return g->b.status;
}

/* The one that moves, among those that are not given; NULL: none is, or several may be. */
static const Onnx__ValueInfoProto *moving_input(const onnx_graph *g, const Onnx__GraphProto *graph,
                                                const onnx_inputs *inputs, int *left) {
  const Onnx__ValueInfoProto *moving = NULL;
  *left = 0;
  for (size_t k = 0; k < graph->n_input; k++) {
    const char *const name = graph->input[k]->name;
    if (!is_asked(g, graph, k) || given_as(inputs, name) != NULL) continue;
    if (inputs == NULL || inputs->name == NULL || is_named(name, inputs->name, inputs->length))
      moving = graph->input[k];
    ++*left;
  }
  return moving;
}

attcert_status onnx_add_inputs(onnx_graph *g, char text[256], const Onnx__GraphProto *graph, const onnx_box *box,
                               const onnx_inputs *inputs) {
  char names[256];
  int left;
  attcert_status status = check_names(g, graph, inputs);
  if (status != ATTCERT_OK) return status;
  const Onnx__ValueInfoProto *const moving = moving_input(g, graph, inputs, &left);
  list_names(names, sizeof names, g, graph);
  if (names[0] == '\0') return attcert_fail(g->b.err, ATTCERT_INPUT, "no input, expected one");
  if (left > 1)
    return attcert_fail(g->b.err, ATTCERT_INPUT, "inputs %s, expected one that moves and the numbers of the others",
                        names);
  if (moving == NULL)
    return attcert_fail(g->b.err, ATTCERT_INPUT, "inputs %s, expected one that moves beside those that are given",
                        names);
  for (size_t k = 0; k < graph->n_input && status == ATTCERT_OK; k++) {
    const onnx_given *const given = is_asked(g, graph, k) ? given_as(inputs, graph->input[k]->name) : NULL;
    if (given != NULL) status = add_constant(g, graph->input[k], given);
  }
  return status == ATTCERT_OK ? add_moving(g, text, moving, box) : status;
}
