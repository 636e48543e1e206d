/* Where a model's numbers come from: safetensors files, or random initialisation. One interface over both. Names
 * are those of the bare model ("encoder.layer.0. ...", "h.0. ..."); the prefix a file may carry ("bert.",
 * "transformer.") is added here. */
#ifndef ATTCERT_MODEL_TENSOR_SOURCE_H
#define ATTCERT_MODEL_TENSOR_SOURCE_H

#include "attcert.h"
#include "model/model_config.h"
#include "model/tensor_files.h"

/* Room for any tensor name that this library asks for, prefix included. */
#define TENSOR_NAME_SIZE 128

typedef struct {
  const tensor_files *files; /* NULL: random initialisation from config and seed */
  const char *prefix;        /* "" or the files' prefix, ends with a dot */
  const model_config *config;
  uint64_t seed;
} tensor_source;

/* "base.suffix": the usual way to a tensor's name. */
void tensor_name(char name[TENSOR_NAME_SIZE], const char *base, const char *suffix);

/* Whether a file stores the tensor; random initialisation stores none, it makes those it is asked for. */
bool tensor_source_stores(const tensor_source *source, const char *name);

/* The sides of a stored matrix. */
attcert_status tensor_source_shape(int *rows, int *cols, const tensor_source *source, const char *name,
                                   attcert_error *err);

/* Whether the tensor has the shape [rows, cols]; no number is read. */
attcert_status tensor_source_check_shape(const tensor_source *source, const char *name, int rows, int cols,
                                         attcert_error *err);

/* Each reads a tensor of exactly that shape; errors name the tensor, and the entry that is not finite. */
attcert_status tensor_source_vector(double *out, const tensor_source *source, const char *name, int length,
                                    attcert_error *err);
attcert_status tensor_source_matrix(double *out, const tensor_source *source, const char *name, int rows, int cols,
                                    attcert_error *err);

/* Row `row` of a table with cols columns: the rest of a big embedding table is never converted. */
attcert_status tensor_source_row(double *out, const tensor_source *source, const char *name, int row, int cols,
                                 attcert_error *err);

#endif
