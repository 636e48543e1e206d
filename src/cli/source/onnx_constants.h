/* The inputs of an ONNX network that do not move, from files: --input NAME=FILE behind the first. */
#ifndef ATTCERT_CLI_SOURCE_ONNX_CONSTANTS_H
#define ATTCERT_CLI_SOURCE_ONNX_CONSTANTS_H

#include "cli/options/options.h"
#include "model/format/npy_array.h"
#include "onnx/onnx_network.h"
#include "report/subject.h"

typedef struct {
  npy_array array[OPTION_MOST_FURTHER];
  char sha256[OPTION_MOST_FURTHER][SHA256_HEX_SIZE];
  onnx_given given[OPTION_MOST_FURTHER];
  onnx_inputs inputs; /* of them, and of the name of the first */
} onnx_constants;

/* Finite numbers, or booleans as 0 and 1, in whatever shape. onnx_constants_clear is due in every case. Errors:
 * ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status onnx_constants_read(onnx_constants *c, const cli_options *options, attcert_error *err);
void onnx_constants_clear(onnx_constants *c);

/* Their files are among the subject's. Errors: ATTCERT_RESOURCE. */
attcert_status onnx_constants_add_files(const onnx_constants *c, report_subject *subject, const cli_options *options,
                                        attcert_error *err);

#endif
