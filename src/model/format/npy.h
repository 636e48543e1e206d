/* NumPy's .npy files, versions 1.0, 2.0 and 3.0: '<f8', '<f4' or '<f2' numbers in C or Fortran order, one or two
 * dimensions, or (1, n, d). */
#ifndef ATTCERT_MODEL_FORMAT_NPY_H
#define ATTCERT_MODEL_FORMAT_NPY_H

#include "attcert.h"

/* m is allocated: rows x cols, or 1 x d from a one-dimensional array of length d. Every number is exact and finite;
 * bytes after the last number are refused. sha256: NULL, or SHA256_HEX_SIZE characters for the file's digest. */
attcert_status npy_read(attcert_matrix *m, char *sha256, const char *path, attcert_error *err);

/* The same from bytes in memory; label names them in messages. */
attcert_status npy_from_bytes(attcert_matrix *m, const unsigned char *bytes, size_t size, const char *label,
                              attcert_error *err);

/* Version 1.0, '<f8', two dimensions. The file appears whole or not at all. */
attcert_status npy_write(const char *path, const attcert_matrix *m, attcert_error *err);

#endif
