/* The inputs of an ONNX graph: one is that of the network, the others are constants. */
#ifndef ATTCERT_ONNX_ONNX_INPUTS_H
#define ATTCERT_ONNX_ONNX_INPUTS_H

#include "onnx/onnx_given.h"
#include "onnx/onnx_graph.h"

/* "image [1, 1, 28, 28]" */
void onnx_describe(char text[256], const char *name, const onnx_shape *shape);

/* Names them in g, and gives its network its sides; text: of the one that moves, as above. Errors: ATTCERT_INPUT,
 * ATTCERT_RESOURCE. */
attcert_status onnx_add_inputs(onnx_graph *g, char text[256], const Onnx__GraphProto *graph, const onnx_box *box,
                               const onnx_inputs *inputs);

#endif
