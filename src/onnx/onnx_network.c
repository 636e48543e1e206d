#include "onnx/onnx_network.h"

#include "onnx/onnx_inputs.h"
#include "onnx/onnx_operators.h"

#include <string.h>

static const struct {
  const char *name;
  onnx_operator *run;
} operators[] = {{"Add", onnx_add},
                 {"BatchNormalization", onnx_batch_normalization},
                 {"Cast", onnx_identity},
                 {"Concat", onnx_concat},
                 {"Constant", onnx_constant_node},
                 {"ConstantOfShape", onnx_constant_of_shape},
                 {"Conv", onnx_conv},
                 {"Div", onnx_div},
                 {"Dropout", onnx_identity},
                 {"Erf", onnx_erf},
                 {"Expand", onnx_expand},
                 {"Flatten", onnx_flatten},
                 {"Gather", onnx_gather},
                 {"Gelu", onnx_gelu},
                 {"Gemm", onnx_gemm},
                 {"Identity", onnx_identity},
                 {"LayerNormalization", onnx_layer_normalization},
                 {"MatMul", onnx_matmul},
                 {"Mul", onnx_mul},
                 {"Pow", onnx_pow},
                 {"ReduceMean", onnx_reduce_mean},
                 {"Relu", onnx_relu},
                 {"Reshape", onnx_reshape},
                 {"Shape", onnx_shape_of},
                 {"Sigmoid", onnx_sigmoid},
                 {"Slice", onnx_slice},
                 {"Softmax", onnx_softmax},
                 {"Split", onnx_split},
                 {"Sqrt", onnx_sqrt},
                 {"Squeeze", onnx_squeeze},
                 {"Sub", onnx_sub},
                 {"Tanh", onnx_tanh},
                 {"Transpose", onnx_transpose},
                 {"Unsqueeze", onnx_unsqueeze},
                 {"Where", onnx_where}};

static onnx_operator *operator_named(const Onnx__NodeProto *node) {
  const bool standard = node->domain == NULL || node->domain[0] == '\0' || strcmp(node->domain, "ai.onnx") == 0;
  for (size_t k = 0; standard && k < sizeof operators / sizeof operators[0]; k++) {
    if (strcmp(operators[k].name, node->op_type) == 0) return operators[k].run;
  }
  return NULL;
}

/* Every attribute and every input of the node has been read. */
static void check_read(onnx_graph *g) {
  for (size_t k = 0; k < g->node->n_input; k++) {
    const bool read = (g->inputs_read >> (k < 63 ? k : 63) & 1u) != 0;
    if (onnx_has_input(g, k) && !read)
      onnx_refuse(g, "input %zu (%s) is not read, so its function is not known", k, g->node->input[k]);
  }
  for (size_t k = 0; k < g->node->n_attribute; k++) {
    if (k < 64 && (g->read >> k & 1u) != 0) continue;
    const char *const name = g->node->attribute[k]->name;
    onnx_refuse(g, "attribute %s is not read, so its function is not known", name != NULL ? name : "without a name");
  }
}

static void run_node(onnx_graph *g, const Onnx__NodeProto *node, size_t number) {
  if (node->op_type == NULL || node->n_output == 0) {
    g->b.status = attcert_fail(g->b.err, ATTCERT_INPUT, "node %zu: no operator or no output", number);
    return;
  }
  g->node = node;
  g->number = number;
  g->read = g->inputs_read = 0;
  onnx_operator *const run = operator_named(node);
  if (run == NULL) {
    onnx_refuse(g, "an operator that is not understood");
    return;
  }
  run(g);
  check_read(g);
}

/* ---- what goes in and comes out ---------------------------------------------------------------------------------- */

static void add_stored(onnx_graph *g, const Onnx__GraphProto *graph) {
  for (size_t k = 0; k < graph->n_initializer && g->b.status == ATTCERT_OK; k++) {
    onnx_tensor *t = NULL;
    const char *const name = graph->initializer[k]->name;
    if (name == NULL) {
      g->b.status = attcert_fail(g->b.err, ATTCERT_INPUT, "stored tensor %zu: no name", k);
      return;
    }
    g->b.status = onnx_file_tensor(&t, graph->initializer[k], name, g->b.err);
    if (t != NULL) onnx_name(g, name, onnx_own(g, t));
  }
}

static attcert_status take_output(onnx_graph *g, onnx_network *network, const Onnx__GraphProto *graph) {
  if (graph->n_output != 1 || graph->output[0]->name == NULL)
    return attcert_fail(g->b.err, ATTCERT_INPUT, "%zu outputs, expected one", graph->n_output);
  onnx_tensor *const t = onnx_named(g, graph->output[0]->name);
  if (t == NULL || onnx_tensor_is_constant(t))
    return attcert_fail(g->b.err, ATTCERT_INPUT, "output %s: expected that of a node, which depends on the input",
                        graph->output[0]->name);
  onnx_describe(network->output, graph->output[0]->name, &t->shape);
  if ((int64_t)t->count != onnx_shape_last(&t->shape))
    return attcert_fail(g->b.err, ATTCERT_INPUT, "output %s: expected one row, of one input", network->output);
  const int value = onnx_place(g, t, (int64_t)t->count);
  /* The list ends where the output is, and what a file computes beside it goes. */
  if (g->b.status == ATTCERT_OK && value != network->steps.count)
    return attcert_fail(g->b.err, ATTCERT_INPUT, "nodes behind the output %s, expected it to be the last one",
                        graph->output[0]->name);
  return g->b.status;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static attcert_status walk(onnx_graph *g, onnx_network *network, const Onnx__ModelProto *model, const onnx_box *box,
                           const onnx_inputs *inputs) {
  const Onnx__GraphProto *const graph = model->graph;
  g->b.status = onnx_file_version(&g->version, model, g->b.err);
  add_stored(g, graph);
  if (g->b.status == ATTCERT_OK) g->b.status = onnx_add_inputs(g, network->input, graph, box, inputs);
  for (size_t k = 0; k < graph->n_node && g->b.status == ATTCERT_OK; k++) run_node(g, graph->node[k], k);
  return g->b.status == ATTCERT_OK ? take_output(g, network, graph) : g->b.status;
}

attcert_status onnx_network_open(onnx_network *network, const char *path, const onnx_box *box,
                                 const onnx_inputs *inputs, attcert_error *err) {
  Onnx__ModelProto *model;
  *network = (onnx_network){0};
  attcert_status status = onnx_file_open(&model, network->sha256, path, err);
  if (status != ATTCERT_OK) return status;
  onnx_graph g = {.b = {.network = &network->steps, .err = err, .layer = -1}};
  status = walk(&g, network, model, box, inputs);
  onnx_clear(&g);
  onnx_file_close(model);
  if (status == ATTCERT_INPUT) {
    const attcert_error inner = *err;
    attcert_fail(err, status, "%s: %s", path, inner.message);
  }
  return status;
}

void onnx_network_clear(onnx_network *network) {
  network_clear(&network->steps);
}
