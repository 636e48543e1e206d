/* A network of an ONNX file as steps (network/network.h): from one input, all numbers in a row, to its one output. What
 * other inputs it has are constants, whose numbers are given.
 * Its function is that of the stored numbers in exact arithmetic, for one input at a time: a side of the input that has
 * no number is 1. */
#ifndef ATTCERT_ONNX_ONNX_NETWORK_H
#define ATTCERT_ONNX_ONNX_NETWORK_H

#include "model/format/sha256.h"
#include "network/network.h"
#include "onnx/onnx_given.h"

typedef struct {
  network_steps steps;          /* value 0: 1 x entries of the input, in the file's order; the last one 1 x outputs */
  char sha256[SHA256_HEX_SIZE]; /* of the file */
  char input[256], output[256]; /* names and sides: "image [1, 1, 28, 28]" */
} onnx_network;

/* box: NULL, the input itself. inputs: NULL, none is given. Errors: ATTCERT_INPUT (a file that is none; an operator or
 * a use of it that is not understood, by node; a box of another count; an input that is not given, or that it does not
 * have, by name), ATTCERT_RESOURCE. onnx_network_clear is due in every case. */
attcert_status onnx_network_open(onnx_network *network, const char *path, const onnx_box *box,
                                 const onnx_inputs *inputs, attcert_error *err);
void onnx_network_clear(onnx_network *network);

#endif
