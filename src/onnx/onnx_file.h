/* An ONNX file as messages, and its stored tensors as numbers. */
#ifndef ATTCERT_ONNX_ONNX_FILE_H
#define ATTCERT_ONNX_ONNX_FILE_H

#include "model/format/sha256.h"
#include "onnx/onnx_tensor.h"

#include "onnx.pb-c.h"

/* *model is parsed, has a graph of nodes and no field that onnx.proto does not have: freed by onnx_file_close, NULL on
 * failure. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status onnx_file_open(Onnx__ModelProto **model, char sha256[SHA256_HEX_SIZE], const char *path,
                              attcert_error *err);
void onnx_file_close(Onnx__ModelProto *model);

/* The version of the standard operators that the file asks for. Errors: ATTCERT_INPUT (operators of others; a version
 * that is not known). */
attcert_status onnx_file_version(int *version, const Onnx__ModelProto *model, attcert_error *err);

/* *t := the stored numbers, exact and finite, or -inf (t->masks). Errors: ATTCERT_INPUT (another type, other sizes,
 * numbers in another file), ATTCERT_RESOURCE. */
attcert_status onnx_file_tensor(onnx_tensor **t, const Onnx__TensorProto *stored, const char *name, attcert_error *err);

#endif
