/* Builds safetensors files in memory for tests: valid ones from tensors, or any bytes from a header's text and its
 * data. */
#ifndef ATTCERT_TESTS_SUPPORT_SAFETENSORS_WRITER_H
#define ATTCERT_TESTS_SUPPORT_SAFETENSORS_WRITER_H

#include <stddef.h>

typedef struct {
  unsigned char *bytes;
  size_t size;
} file_bytes;

/* One F64 tensor; cols = 0 for a vector of `rows` numbers. */
typedef struct {
  const char *name;
  int rows, cols;
  const double *numbers;
} test_tensor;

/* 8 bytes of length, the header's text as it is, data_size bytes of data. Free bytes with free(). */
file_bytes safetensors_raw(const char *header, const void *data, size_t data_size);

/* A valid file; metadata is the text of a JSON object or NULL. */
file_bytes safetensors_build(const test_tensor *tensors, size_t count, const char *metadata);

#endif
