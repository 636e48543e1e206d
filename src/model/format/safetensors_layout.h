/* What a safetensors header must say of where its tensors lie: each takes the bytes of its shape and dtype, within the
 * data, and together they tile the data. Only numbers are looked at here, none of which is trusted. */
#ifndef ATTCERT_MODEL_FORMAT_SAFETENSORS_LAYOUT_H
#define ATTCERT_MODEL_FORMAT_SAFETENSORS_LAYOUT_H

#include "model/format/safetensors.h"

#ifdef __FRAMAC__
#include "format/tensor_shape_frame_lemmas.acsl"
#endif

typedef enum {
  LAYOUT_OK,
  LAYOUT_COUNT,    /* the number of entries exceeds 64 bits */
  LAYOUT_OUTSIDE,  /* the range does not lie within the data */
  LAYOUT_LENGTH,   /* the range is not as long as shape and dtype say */
  LAYOUT_ORDER,    /* the range does not begin where the one before ends: a hole or an overlap */
  LAYOUT_TRAILING, /* the last range does not end where the data end */
} layout_problem;

typedef struct {
  layout_problem problem;
  size_t at; /* the first tensor it is about; their number for LAYOUT_TRAILING */
} layout_verdict;

/*@ logic integer entry_bits{L}(safetensors_tensor *t) =
      t->format == NUMBER_UNSUPPORTED ? t->bits : 8 * number_width(t->format);
    predicate tensor_count_right{L}(safetensors_tensor *t) = t->count == shape_count(&t->shape[0], t->rank);
    predicate length_right(integer size, integer count, integer bits) = bits == 0 || 8 * size == count * bits;
    predicate tensor_length_right{L}(safetensors_tensor *t) =
      length_right(t->range.end - t->range.begin, t->count, entry_bits(t));
    predicate tensor_sound{L}(safetensors_tensor *t, integer data_size) =
      tensor_count_right(t) && tensor_length_right(t) && t->range.begin <= t->range.end <= data_size;

    // Where the first n tensors end.
    logic integer tensors_end{L}(safetensors_tensor *t, integer n) = n <= 0 ? 0 : (t + (n - 1))->range.end;
    predicate tensors_tile{L}(safetensors_tensor *t, integer n) =
      \forall integer i; 0 <= i < n ==> (t + i)->range.begin == tensors_end(t, i); */

/* Bits an entry takes; 0 when the dtype is unknown, and with it the tensor's length. */
/*@ requires valid: \valid_read(t) && NUMBER_F64 <= t->format <= NUMBER_UNSUPPORTED;
    terminates \true;
    assigns \nothing;
    ensures bits: \result == entry_bits(t); */
uint64_t safetensors_entry_bits(const safetensors_tensor *t);

/* Checks tensor[0 .. n - 1], sorted by their ranges, and fills in their counts. */
/*@ requires valid: \valid(tensor + (0 .. n - 1));
    requires ranks: \forall integer i; 0 <= i < n ==> 0 <= tensor[i].rank <= SAFETENSORS_MAX_RANK;
    requires formats: \forall integer i; 0 <= i < n ==> NUMBER_F64 <= tensor[i].format <= NUMBER_UNSUPPORTED;
    terminates \true;
    assigns tensor[0 .. n - 1].count;
    ensures at: \result.problem != LAYOUT_OK ==>
      \result.at <= n && (\result.at == n <==> \result.problem == LAYOUT_TRAILING);
    ensures sound: \result.problem == LAYOUT_OK ==>
                   \forall integer i; 0 <= i < n ==> tensor_sound(tensor + i, data_size);
    ensures tiles: \result.problem == LAYOUT_OK ==> tensors_tile(tensor, n) && tensors_end(tensor, n) == data_size; */
layout_verdict safetensors_layout_check(safetensors_tensor *tensor, size_t n, uint64_t data_size);

#endif
