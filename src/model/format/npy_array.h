/* NumPy's .npy files of one to eight sides, in C order: booleans ('|b1'), or numbers ('<f8', '<f4', '<f2'), which may
 * be infinite or NaN here. */
#ifndef ATTCERT_MODEL_FORMAT_NPY_ARRAY_H
#define ATTCERT_MODEL_FORMAT_NPY_ARRAY_H

#include "attcert.h"
#include "model/format/npy_dictionary.h"

typedef struct {
  int rank, side[NPY_ARRAY_SIDES]; /* each 1 or more */
  bool *truth;                     /* NULL: of numbers */
  double *number;                  /* exact; NULL: of booleans */
} npy_array;

/* Allocated; npy_array_clear is due in every case. sha256: NULL, or SHA256_HEX_SIZE characters for the file's digest.
 * Errors: ATTCERT_INPUT (another dtype, order or rank, bytes missing or left over, a boolean that is neither 0 nor 1),
 * ATTCERT_RESOURCE. */
attcert_status npy_array_read(npy_array *array, char *sha256, const char *path, attcert_error *err);

/* The same from bytes in memory; label names them in messages. */
attcert_status npy_array_from_bytes(npy_array *array, const unsigned char *bytes, size_t size, const char *label,
                                    attcert_error *err);

void npy_array_clear(npy_array *array);

#endif
