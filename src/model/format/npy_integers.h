/* NumPy's .npy files of integers: int8 to int64 and uint8 to uint64, of either byte order, of shape [n] or [1, n]. */
#ifndef ATTCERT_MODEL_FORMAT_NPY_INTEGERS_H
#define ATTCERT_MODEL_FORMAT_NPY_INTEGERS_H

#include "attcert.h"

/* *values is allocated, *count >= 1 its length; every value is from 0 to INT_MAX. sha256: NULL, or SHA256_HEX_SIZE
 * characters for the file's digest. Errors: ATTCERT_INPUT (another dtype or shape, bytes missing or left over, a value
 * that is negative or too large), ATTCERT_RESOURCE; *values is then NULL. */
attcert_status npy_integers_read(int **values, int *count, char *sha256, const char *path, attcert_error *err);

/* The same from bytes in memory; label names them in messages. */
attcert_status npy_integers_from_bytes(int **values, int *count, const unsigned char *bytes, size_t size,
                                       const char *label, attcert_error *err);

#endif
