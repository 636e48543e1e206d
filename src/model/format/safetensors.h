/* Reader of the safetensors format: 8 bytes little-endian header length, a JSON header
 * { name: {"dtype", "shape", "data_offsets": [begin, end]}, ..., "__metadata__": {string: string} }, then the data.
 *
 * The whole header is checked when the file is opened: the tensors tile the data exactly (no overlap, no hole), and
 * each byte range is as long as shape x dtype. Numbers are checked (finite) when they are read as doubles, so a tensor
 * of an unsupported dtype, or one that holds NaN, is an error only for who asks for it. */
#ifndef ATTCERT_MODEL_FORMAT_SAFETENSORS_H
#define ATTCERT_MODEL_FORMAT_SAFETENSORS_H

#include "attcert.h"
#include "model/format/number_format.h"
#include "model/format/sha256.h"
#include "model/format/tensor_layout.h"

#define SAFETENSORS_MAX_RANK 8

typedef struct safetensors safetensors; /* opaque */

/* One tensor; the strings and bytes live as long as the file is open. */
typedef struct {
  const char *name;
  const char *dtype;    /* as written in the file: "F32" */
  number_format format; /* NUMBER_UNSUPPORTED for dtypes that are not floating-point numbers of 16 bits or more */
  unsigned bits;        /* of an entry, where format is NUMBER_UNSUPPORTED; 0 for an unknown dtype */
  int rank;             /* 0 for a scalar */
  uint64_t shape[SAFETENSORS_MAX_RANK];
  uint64_t count;     /* product of the shape */
  tensor_range range; /* of bytes, in the file's data */
  const unsigned char *bytes;
} safetensors_tensor;

attcert_status safetensors_open(safetensors **file, const char *path, attcert_error *err);

/* The same from bytes in memory, which must outlive *file; label names them in messages. */
attcert_status safetensors_from_bytes(safetensors **file, const unsigned char *bytes, size_t size, const char *label,
                                      attcert_error *err);
void safetensors_close(safetensors *file); /* NULL is harmless */

/* The path or label, for messages. */
const char *safetensors_path(const safetensors *file);

/* SHA-256 of the open file; a file in memory has none. After it, and later after what was read since, check tells
 * whether the bytes are still those: ATTCERT_INPUT when somebody wrote into the file. */
attcert_status safetensors_digest(char sha256[SHA256_HEX_SIZE], const safetensors *file, attcert_error *err);
attcert_status safetensors_check(const safetensors *file, attcert_error *err);

/* Tensors 0 .. count - 1, in the order of their data. */
size_t safetensors_count(const safetensors *file);
const safetensors_tensor *safetensors_at(const safetensors *file, size_t index);

/* The tensor of that name, or NULL. */
const safetensors_tensor *safetensors_find(const safetensors *file, const char *name);

/* The value of "__metadata__"[key], or NULL. */
const char *safetensors_metadata(const safetensors *file, const char *key);

/* The first key of "__metadata__" that is not in the list, which NULL ends; or NULL. */
const char *safetensors_metadata_beside(const safetensors *file, const char *const *known);

/* The sides of a matrix that must exist, of rank 2, with sides from 1 to INT_MAX. */
attcert_status safetensors_matrix_shape(int *rows, int *cols, const safetensors *file, const char *name,
                                        attcert_error *err);

/* Reads a tensor of exactly the shape [length] or [rows, cols]. The errors name file and tensor: missing, of another
 * shape, of an unsupported dtype, or with an entry that is not finite. */
attcert_status safetensors_read_vector(double *out, const safetensors *file, const char *name, int length,
                                       attcert_error *err);
attcert_status safetensors_read_matrix(double *out, const safetensors *file, const char *name, int rows, int cols,
                                       attcert_error *err);

/* Rows first .. first + count - 1 of a matrix with cols columns: the rest of a big embedding table is never touched. */
attcert_status safetensors_read_rows(double *out, const safetensors *file, const char *name, int first, int count,
                                     int cols, attcert_error *err);

#endif
