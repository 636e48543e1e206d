/* How many bytes a tensor takes and where they may lie: the arithmetic of untrusted shapes and
 * offsets, without overflow. */
#ifndef ATTCERT_MODEL_FORMAT_TENSOR_LAYOUT_H
#define ATTCERT_MODEL_FORMAT_TENSOR_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __FRAMAC__
#include "format/tensor_shape.acsl"
#endif

/* Bytes begin .. end - 1 of a file's data. */
typedef struct {
  uint64_t begin, end;
} tensor_range;

/* Product of two sizes; false, and *product unchanged, when it exceeds 64 bits. */
/*@ requires valid: \valid(product);
    terminates \true;
    assigns *product;
    ensures fits: \result <==> a * b <= UINT64_MAX;
    ensures product: \result ==> *product == a * b;
    ensures unchanged: !\result ==> *product == \old(*product); */
bool tensor_product(uint64_t *product, uint64_t a, uint64_t b);

/* Number of entries of a tensor, shape[0] * ... * shape[rank - 1] (1 for rank 0); false when a
 * partial product exceeds 64 bits. */
/*@ requires rank: 0 <= rank;
    requires valid: \valid(count) && \valid_read(shape + (0 .. rank - 1));
    requires separated: \separated(count, shape + (0 .. rank - 1));
    terminates \true;
    assigns *count;
    ensures fits: \result <==> shape_fits{Pre}(shape, rank);
    ensures count: \result ==> *count == shape_count{Pre}(shape, rank); */
bool tensor_count(uint64_t *count, const uint64_t *shape, int rank);

/* Bytes of count entries of `bits` bits each; false when that is not a whole number of bytes
 * or its bits exceed 64 bits. */
/*@ requires valid: \valid(size);
    terminates \true;
    assigns *size;
    ensures whole: \result <==> count * bits <= UINT64_MAX && (count * bits) % 8 == 0;
    ensures size: \result ==> 8 * *size == count * bits; */
bool tensor_size(uint64_t *size, uint64_t count, uint64_t bits);

/* Whether the range lies within data of `size` bytes. */
/*@ terminates \true;
    assigns \nothing;
    ensures inside: \result <==> range.begin <= range.end <= size; */
bool tensor_range_inside(tensor_range range, uint64_t size);

#endif
