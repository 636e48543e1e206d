/* The header of a .npy file (numpy.lib.format): "\x93NUMPY", version, header length, then a Python dictionary
 *   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
 * with exactly these keys in any order, padded by spaces and ended by a newline. */
#ifndef ATTCERT_MODEL_FORMAT_NPY_HEADER_H
#define ATTCERT_MODEL_FORMAT_NPY_HEADER_H

#include "model/format/number_format.h"

enum { NPY_MAX_RANK = 2 };

typedef struct {
  number_format format;
  int rank; /* 1 or 2 */
  uint64_t shape[NPY_MAX_RANK];
  size_t data; /* offset of the numbers in the file */
} npy_header;

/* What is wrong with a header, or nothing. */
typedef enum {
  NPY_OK,
  NPY_NOT_NPY,
  NPY_VERSION,
  NPY_TRUNCATED,
  NPY_SYNTAX,
  NPY_KEY,
  NPY_OBJECT,
  NPY_DTYPE,
  NPY_ORDER,
  NPY_SHAPE,
  NPY_RANK,
  NPY_PADDING
} npy_verdict;

/* Magic and version take 8 bytes, the header's length 2 (version 1) or 4; then come that many bytes
 * of text, then the numbers. */
/*@ logic integer npy_version{L}(unsigned char *file) = file[6];
    logic integer npy_data{L}(unsigned char *file) =
      npy_version(file) == 1 ? 10 + little_endian_2(file + 8) : 12 + little_endian_4(file + 8); */

/* Parses the header of the file buffer[0 .. length - 1]; whether the numbers are there is not looked at. */
/*@ requires valid: \valid(header) && \valid_read(buffer + (0 .. length - 1));
    requires separated: \separated(header, buffer + (0 .. length - 1));
    terminates \true;
    assigns *header;
    ensures data: \result == NPY_OK ==> header->data == npy_data{Pre}(buffer) && header->data <= length;
    ensures version: \result == NPY_OK ==> npy_version{Pre}(buffer) == 1 || npy_version{Pre}(buffer) == 2 ||
      npy_version{Pre}(buffer) == 3;
    ensures rank: \result == NPY_OK ==> 1 <= header->rank <= NPY_MAX_RANK;
    ensures format: \result == NPY_OK ==> NUMBER_F64 <= header->format <= NUMBER_BF16; */
npy_verdict npy_header_parse(npy_header *header, const unsigned char *buffer, size_t length);

/* The verdict in words: what was expected. */
/*@ requires verdict: NPY_OK <= verdict <= NPY_PADDING;
    terminates \true;
    assigns \result \from verdict;
    ensures text: \valid_read(\result); */
const char *npy_verdict_text(npy_verdict verdict);

#endif
