/* Arrays that NumPy writes beside the C-ordered matrix: in Fortran order, and of shape (1, n, d), one sequence of a
 * batch. Their header is rewritten as that of the matrix, for the one parser (npy_header.h) to judge; what that refuses
 * stays refused. */
#ifndef ATTCERT_MODEL_FORMAT_NPY_LAYOUT_H
#define ATTCERT_MODEL_FORMAT_NPY_LAYOUT_H

#include "attcert.h"
#include "model/format/npy_header.h"

/* npy_header_parse with these two allowed: header is of the matrix (n, d) that the array holds, header->data its place
 * in the file; *fortran: its numbers come column by column. Errors: ATTCERT_RESOURCE; ATTCERT_INPUT with the parser's
 * verdict and, where it is about the dtype, the one that was found. */
attcert_status npy_layout_read(npy_header *header, bool *fortran, const unsigned char *bytes, size_t size,
                               const char *label, attcert_error *err);

/* Where the dictionary of a file begins and the numbers do; false: in a form that the parser refuses. */
bool npy_layout_find_dictionary(size_t *begin, size_t *end, const unsigned char *bytes, size_t size);

/* Where the value of the key begins in the dictionary text[0 .. size - 1]; size: there is no such key. */
size_t npy_layout_find_value(const unsigned char *text, size_t size, const char *key);

#endif
