/* Where a model's numbers come from: safetensors files, or random initialisation. One interface over both. Names
 * are those of the bare model ("encoder.layer.0. ...", "h.0. ..."); the prefixes a file may carry ("bert.",
 * "transformer.", and before it what PyTorch's wrappers add, "module.") are added here, and a tensor that is stored
 * under another name alone, as it is tied to it, is found there. */
#ifndef ATTCERT_MODEL_TENSOR_SOURCE_H
#define ATTCERT_MODEL_TENSOR_SOURCE_H

#include "attcert.h"
#include "model/family/model_config.h"
#include "model/tensor_files.h"

/* Room for any tensor name that this library asks for, prefix included. */
#define TENSOR_NAME_SIZE 128

typedef struct {
  const tensor_files *files; /* NULL: random initialisation from config and seed */
  const char *wrapper;       /* before all names; "", or ends with a dot */
  const char *prefix;        /* "" or the files' prefix, ends with a dot */
  const char *table, *alias; /* the word table, and the tensor behind the wrapper that stands for it where it is not
                                stored; alias NULL: none */
  const model_config *config;
  uint64_t seed;
} tensor_source;

/* "base.suffix": the usual way to a tensor's name. */
void tensor_name(char name[TENSOR_NAME_SIZE], const char *base, const char *suffix);

/* The same files, for names that stand beside the prefix: those of a head. */
tensor_source tensor_source_beside(const tensor_source *source);

/* Whether a file stores the tensor; random initialisation stores none, it makes those it is asked for. */
bool tensor_source_stores(const tensor_source *source, const char *name);

/* The stored tensor that is read for the name; NULL: there is none. */
const safetensors_tensor *tensor_source_tensor(const tensor_source *source, const char *name);

/* Whether the tensor that the files store as `stored` is read for the word table. */
bool tensor_source_is_table(const tensor_source *source, const char *stored);

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
