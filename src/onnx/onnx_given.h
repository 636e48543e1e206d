/* What is given of an ONNX network's inputs: those that do not move, and where the one that moves does. */
#ifndef ATTCERT_ONNX_ONNX_GIVEN_H
#define ATTCERT_ONNX_ONNX_GIVEN_H

#include <stddef.h>

/* Inputs center + half t, entry by entry, of which t takes the place of the network's input. */
typedef struct {
  const double *center, *half; /* [count] */
  int count;
} onnx_box;

/* An input that does not move. */
typedef struct {
  const char *name;
  int length; /* of the name */
  const double *number;
  size_t count;
} onnx_given;

typedef struct {
  const char *name; /* of the one that moves; NULL: the only one that is not among them */
  int length;
  const onnx_given *given;
  int count;
} onnx_inputs;

#endif
