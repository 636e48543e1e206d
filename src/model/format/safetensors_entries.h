/* Which bytes of a tensor hold the entries that are asked for. */
#ifndef ATTCERT_MODEL_FORMAT_SAFETENSORS_ENTRIES_H
#define ATTCERT_MODEL_FORMAT_SAFETENSORS_ENTRIES_H

#include "model/format/safetensors_layout.h"

#ifdef __FRAMAC__
#include "format/tensor_matrix_lemmas.acsl"
#endif

/* What safetensors_layout_check leaves, and that the tensor's bytes are those of its range. */
/*@ predicate tensor_bytes{L}(safetensors_tensor *t) =
      \valid_read(t) && NUMBER_F64 <= t->format <= NUMBER_UNSUPPORTED && t->range.begin <= t->range.end &&
      tensor_length_right(t) && \valid_read(t->bytes + (0 .. t->range.end - t->range.begin - 1));
    predicate tensor_shaped{L}(safetensors_tensor *t) = \valid_read(t) && tensor_count_right(t); */

/* Whether the shape is [length]; [rows, cols]; [at least first + count, cols]. */
/*@ requires shaped: tensor_shaped(t);
    terminates \true;
    assigns \nothing;
    ensures shape: \result <==> t->rank == 1 && t->shape[0] == length;
    ensures entries: \result ==> 0 <= length && length == t->count; */
bool safetensors_is_vector(const safetensors_tensor *t, int length);

/*@ requires shaped: tensor_shaped(t);
    terminates \true;
    assigns \nothing;
    ensures shape: \result <==> t->rank == 2 && t->shape[0] == rows && t->shape[1] == cols;
    ensures entries: \result ==> 0 <= rows && 0 <= cols && rows * cols == t->count; */
bool safetensors_is_matrix(const safetensors_tensor *t, int rows, int cols);

/*@ requires shaped: tensor_shaped(t);
    terminates \true;
    assigns \nothing;
    ensures shape: \result <==> 0 <= first && 0 <= count && t->rank == 2 && first + count <= t->shape[0] &&
      t->shape[1] == cols;
    ensures entries: \result ==> 0 <= cols && (first + count) * cols <= t->count; */
bool safetensors_has_rows(const safetensors_tensor *t, int first, int count, int cols);

/* Entries first .. first + count - 1, in row-major order, of a tensor of a supported format that has them; the index of
 * the first that is not finite, count when all are. */
/*@ requires bytes: tensor_bytes(t) && t->format != NUMBER_UNSUPPORTED;
    requires entries: first + count <= t->count && 8 * count <= SIZE_MAX;
    requires valid: \valid(out + (0 .. count - 1));
    requires separated: \separated(out + (0 .. count - 1), t) &&
      \separated(out + (0 .. count - 1), t->bytes + (0 .. t->range.end - t->range.begin - 1));
    terminates \true;
    assigns out[0 .. count - 1];
    ensures range: 0 <= \result <= count;
    ensures finite: \forall integer i; 0 <= i < \result ==> finite_double(out[i]);
    ensures found: \result < count ==> !finite_double(out[\result]);
    ensures decoded: \forall integer i; 0 <= i < count ==> out[i] ==
      stored_number{Pre}(\at(t->bytes, Pre) + number_width(\at(t->format, Pre)) * (first + i), \at(t->format, Pre)); */
size_t safetensors_decode(double *out, const safetensors_tensor *t, size_t first, size_t count);

#endif
