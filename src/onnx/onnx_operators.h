/* ONNX's operators (https://onnx.ai/onnx/operators), each what it does to tensors and which steps it adds. A function
 * reads its node's inputs and attributes and names its outputs; what it does not understand it refuses. */
#ifndef ATTCERT_ONNX_ONNX_OPERATORS_H
#define ATTCERT_ONNX_ONNX_OPERATORS_H

#include "onnx/onnx_graph.h"
#include "robust/range/range_line.h"

typedef void onnx_operator(onnx_graph *g);

/* Entries move, nothing is computed: onnx_moves.c, onnx_cuts.c. */
onnx_operator onnx_constant_node, onnx_constant_of_shape, onnx_shape_of, onnx_identity, onnx_reshape, onnx_flatten;
onnx_operator onnx_squeeze, onnx_unsqueeze, onnx_transpose, onnx_expand;
onnx_operator onnx_slice, onnx_split, onnx_gather, onnx_concat;

/* Entry by entry: onnx_entries.c. */
onnx_operator onnx_add, onnx_sub, onnx_mul, onnx_div, onnx_pow, onnx_sqrt;
onnx_operator onnx_where; /* onnx_where.c */

/* Functions of entries, whole or in parts: onnx_activations.c. */
onnx_operator onnx_relu, onnx_tanh, onnx_sigmoid, onnx_gelu, onnx_erf;

/* Products: onnx_products.c. */
onnx_operator onnx_matmul, onnx_gemm, onnx_conv;

/* Along a side: onnx_norms.c. */
onnx_operator onnx_reduce_mean, onnx_softmax, onnx_batch_normalization, onnx_layer_normalization;

/* ---- steps that several of them add ------------------------------------------------------------------------------ */

/* x W^T + b for x's last side: W [rows, last side], b [rows] or NULL; numbers that the network owns. */
onnx_tensor *onnx_affine(onnx_graph *g, onnx_tensor *x, const double *weight, const double *bias, int64_t rows);

/* LayerNorm of x's last side. gain, bias: of so many numbers, that the network owns; NULL: ones, zeros. */
onnx_tensor *onnx_layernorm(onnx_graph *g, onnx_tensor *x, const double *gain, const double *bias, double epsilon);

/* sum_j P_ij v_j for the weights of scores w. */
onnx_tensor *onnx_attention(onnx_graph *g, onnx_tensor *w, onnx_tensor *values);

/* x op y, entry by entry, of the shape that both are broadcast to; what they mean together is seen. */
typedef enum { ONNX_ADD, ONNX_SUB, ONNX_MUL, ONNX_DIV } onnx_operation;
onnx_tensor *onnx_combine(onnx_graph *g, onnx_operation op, onnx_tensor *x, onnx_tensor *y);

/* Whether the double z is x op y. */
bool onnx_is_exact(onnx_operation op, double x, double y, double z);

/* x op c for a constant of x's shape; one number, as a constant. */
onnx_tensor *onnx_with_constant(onnx_graph *g, onnx_operation op, onnx_tensor *x, onnx_tensor *c);
onnx_tensor *onnx_with_number(onnx_graph *g, onnx_operation op, onnx_tensor *x, double c);

/* A curve of each entry. */
onnx_tensor *onnx_activation(onnx_graph *g, onnx_tensor *x, const range_curve *curve);

/* What x op y is as a part of an activation; NULL: nothing. */
onnx_tensor *onnx_activation_part(onnx_graph *g, onnx_operation op, onnx_tensor *x, onnx_tensor *y);

/* The entries of a part that is none of an activation. */
onnx_tensor *onnx_activation_settle(onnx_graph *g, const onnx_tensor *t);

/* The scores x with a constant, of their shape, added. */
onnx_tensor *onnx_biased_scores(onnx_graph *g, const onnx_tensor *x, onnx_tensor *bias);

/* One number for each entry of t's last side that a constant, broadcast to t's shape, has; NULL: it differs along other
 * sides. The network owns them. */
const double *onnx_columns_of(onnx_graph *g, onnx_tensor *constant, const onnx_shape *shape);

#endif
