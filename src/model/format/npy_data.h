/* The numbers of a .npy file: how many bytes its header says they take, and reading them. */
#ifndef ATTCERT_MODEL_FORMAT_NPY_DATA_H
#define ATTCERT_MODEL_FORMAT_NPY_DATA_H

#include "attcert.h"
#include "model/format/npy_header.h"

#include <limits.h>

#ifdef __FRAMAC__
#include "format/tensor_shape_frame_lemmas.acsl"
#endif

/*@ predicate npy_header_read{L}(npy_header *header) =
      1 <= header->rank <= NPY_MAX_RANK && NUMBER_F64 <= header->format <= NUMBER_BF16;
    predicate npy_sides{L}(npy_header *header) =
      \forall integer i; 0 <= i < header->rank ==> 1 <= header->shape[i] <= INT_MAX;
    logic integer npy_bytes{L}(npy_header *header) =
      number_width(header->format) * shape_count(&header->shape[0], header->rank); */

/* The sides are those of a matrix, and the numbers fill the rest of the file of `size`
 * bytes exactly. label names it. */
/*@ requires header: \valid_read(header) && npy_header_read(header) && header->data <= size;
    requires error: err == \null || (\valid(err) && \separated(err, header));
    terminates \true;
    assigns *err;
    ensures status: \result == ATTCERT_OK || \result == ATTCERT_INPUT;
    ensures sides: \result == ATTCERT_OK ==> npy_sides{Pre}(header);
    ensures bytes: \result == ATTCERT_OK ==> npy_bytes{Pre}(header) == size - header->data; */
attcert_status npy_data_check(const npy_header *header, size_t size, const char *label, attcert_error *err);

/* Decodes count numbers from the file at the header's data; all of them must be finite.
 * cols, for messages: of a row. */
/*@ requires header: \valid_read(header) && npy_header_read(header);
    requires readable: \valid_read(file + (0 .. header->data + number_width(header->format) * count - 1));
    requires count: 8 * count <= SIZE_MAX && 1 <= cols;
    requires valid: \valid(out + (0 .. count - 1));
    requires error: err == \null || (\valid(err) && \separated(err, out + (0 .. count - 1)));
    requires separated: \separated(out + (0 .. count - 1),
      file + (0 .. header->data + number_width(header->format) * count - 1));
    requires apart: \separated(out + (0 .. count - 1), header) && \separated(err, header);
    terminates \true;
    assigns out[0 .. count - 1], *err;
    ensures status: \result == ATTCERT_OK || \result == ATTCERT_INPUT;
    ensures finite: \result == ATTCERT_OK ==> \forall integer i; 0 <= i < count ==> finite_double(out[i]); */
attcert_status npy_data_read(double *out, const npy_header *header, const unsigned char *file, size_t count,
                             size_t cols, const char *label, attcert_error *err);

#endif
