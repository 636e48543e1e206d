/* The walk through an ONNX graph, node by node, that builds a network's steps. */
#ifndef ATTCERT_ONNX_ONNX_GRAPH_H
#define ATTCERT_ONNX_ONNX_GRAPH_H

#include "network/network.h"
#include "onnx/onnx_file.h"

typedef struct {
  network_builder b; /* its status: of the walk, too */
  int version;       /* of the operators */
  void *named;       /* the tensors that nodes may read, by name: a tree of search.h */
  onnx_tensor **tensor;
  int tensors;
  size_t capacity, entries;    /* entries: of the tensors that nodes have made */
  const Onnx__NodeProto *node; /* under way */
  size_t number;
  uint64_t read;        /* its attributes that have been, a bit each */
  uint64_t inputs_read; /* likewise of its inputs; the last bit: and of all behind */
} onnx_graph;

/* Fails at the node under way, unless something failed before: "node 12 (Softmax, /attn/Softmax): ..". */
void onnx_refuse(onnx_graph *g, const char *what, ...) __attribute__((format(printf, 2, 3)));

/* ---- what the node says; where something failed, what comes back is NULL or the default -------------------------- */

onnx_tensor *onnx_input(onnx_graph *g, size_t k);
bool onnx_has_input(const onnx_graph *g, size_t k);

int64_t onnx_integer(onnx_graph *g, const char *name, int64_t otherwise);
double onnx_number(onnx_graph *g, const char *name, double otherwise);
const Onnx__AttributeProto *onnx_attribute(onnx_graph *g, const char *name); /* NULL: it has none */

/* A list of at most ONNX_RANK_MOST whole numbers, of input k where it has that, or of an attribute; -1: neither. */
int onnx_list(int64_t list[ONNX_RANK_MOST], onnx_graph *g, size_t k, const char *attribute);

/* The one number of input k, a constant. */
double onnx_constant(onnx_graph *g, size_t k);

/* ---- tensors, which the graph owns ------------------------------------------------------------------------------- */

/* As onnx_tensor_new; a shape that is none fails. */
onnx_tensor *onnx_new(onnx_graph *g, const onnx_shape *shape, bool entries, bool numbers);
onnx_tensor *onnx_meant(onnx_graph *g, const onnx_shape *shape, onnx_meaning meaning, onnx_tensor *of);
onnx_tensor *onnx_own(onnx_graph *g, onnx_tensor *t);

/* The node's output k is t. */
void onnx_result(onnx_graph *g, size_t k, onnx_tensor *t);
void onnx_name(onnx_graph *g, const char *name, onnx_tensor *t);
onnx_tensor *onnx_named(const onnx_graph *g, const char *name); /* NULL: none */
void onnx_clear(onnx_graph *g);                                 /* all of them */

/* Of that shape: entry (i_0, i_1, ..) is that of t at offset + sum_k i_k stride[k]. */
onnx_tensor *onnx_moved(onnx_graph *g, onnx_tensor *t, const onnx_shape *shape, int64_t offset,
                        const int64_t stride[ONNX_RANK_MOST]);

/* The steps of a shape whose entries lie one behind the other. */
void onnx_strides(int64_t stride[ONNX_RANK_MOST], const onnx_shape *shape);

/* t as the larger shape, that it is broadcast to. */
onnx_tensor *onnx_broadcast(onnx_graph *g, onnx_tensor *t, const onnx_shape *shape);

/* With axis `from` at place `to` among the others. */
onnx_tensor *onnx_move_axis(onnx_graph *g, onnx_tensor *t, int from, int to);

/* In the same order, of a shape of as many entries. */
onnx_tensor *onnx_reshaped(onnx_graph *g, onnx_tensor *t, const onnx_shape *shape);

/* ---- values of the network --------------------------------------------------------------------------------------- */

/* The value, of so many columns, whose entries are those of t, in its order; a meaning that is no step becomes one. */
int onnx_place(onnx_graph *g, onnx_tensor *t, int64_t cols);
onnx_tensor *onnx_placed(onnx_graph *g, const onnx_shape *shape, int value);

/* What t means becomes steps, so that it has entries. */
void onnx_settle(onnx_graph *g, onnx_tensor *t);

/* A copy of `count` numbers that the network owns. */
const double *onnx_keep(onnx_graph *g, const double *numbers, size_t count);

#endif
