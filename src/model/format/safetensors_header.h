/* The header of a safetensors file: read, checked as a whole, turned into a table of tensors. */
#ifndef ATTCERT_MODEL_FORMAT_SAFETENSORS_HEADER_H
#define ATTCERT_MODEL_FORMAT_SAFETENSORS_HEADER_H

#include "model/format/safetensors.h"

#include <jansson.h>

typedef struct {
  json_t *root;               /* owns the names and dtypes */
  safetensors_tensor *tensor; /* in the order of their data */
  size_t count;
} safetensors_header;

attcert_status safetensors_header_read(safetensors_header *header, const unsigned char *bytes, size_t size,
                                       const char *label, attcert_error *err);
void safetensors_header_clear(safetensors_header *header);

#endif
