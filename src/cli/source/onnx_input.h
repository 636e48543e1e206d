/* The input of an ONNX network from a file. */
#ifndef ATTCERT_CLI_SOURCE_ONNX_INPUT_H
#define ATTCERT_CLI_SOURCE_ONNX_INPUT_H

#include "onnx/onnx_network.h"

/* *x (1 x numbers, allocated) := the numbers of the .npy file in a row: as many finite ones as the network's input has,
 * in whatever shape. sha256: of the file. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status onnx_input_read(attcert_matrix *x, char sha256[SHA256_HEX_SIZE], const onnx_network *network,
                               const char *path, attcert_error *err);

#endif
