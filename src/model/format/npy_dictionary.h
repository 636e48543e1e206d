/* The dictionary of a .npy file whose dtype or shape the one parser of headers (npy_header.h) does not know: it judges
 * a copy in which these are written as those of numbers that it reads, and what else it refuses stays refused. */
#ifndef ATTCERT_MODEL_FORMAT_NPY_DICTIONARY_H
#define ATTCERT_MODEL_FORMAT_NPY_DICTIONARY_H

#include "attcert.h"
#include "model/format/npy_header.h"

/* A stretch of the file's bytes, bytes[first .. last - 1]. */
typedef struct {
  size_t first, last;
} npy_stretch;

/* The text between the quotes of the dictionary's dtype; false: there is none, and the stretch is empty. */
bool npy_dictionary_dtype(npy_stretch *dtype, const unsigned char *bytes, size_t size);

enum { NPY_ARRAY_SIDES = 8 };

/* The sides of its shape, one to NPY_ARRAY_SIDES, with the stretch that they are written in; false: other ones. */
bool npy_dictionary_shape(int *rank, uint64_t side[NPY_ARRAY_SIDES], npy_stretch *shape, const unsigned char *bytes,
                          size_t size);

/* The parser's verdict on the header with '<f8' for a dtype of three characters and (1,) for a shape; NULL: as it is.
 * header->data is where the file's numbers begin. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status npy_dictionary_judge(npy_header *header, const npy_stretch *dtype, const npy_stretch *shape,
                                    const unsigned char *bytes, size_t size, const char *label, attcert_error *err);

#endif
