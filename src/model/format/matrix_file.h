/* A matrix from a file of numbers: .npy, or a safetensors file of one tensor [d], [n, d] or [1, n, d]. */
#ifndef ATTCERT_MODEL_FORMAT_MATRIX_FILE_H
#define ATTCERT_MODEL_FORMAT_MATRIX_FILE_H

#include "attcert.h"

/* As npy_read. Whichever it is, the first bytes tell. */
attcert_status matrix_file_read(attcert_matrix *m, char *sha256, const char *path, attcert_error *err);

/* Whether the file begins as a .npy file does. */
attcert_status matrix_file_is_npy(bool *npy, const char *path, attcert_error *err);

#endif
