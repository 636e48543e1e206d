#include "model/format/safetensors_layout.h"

uint64_t safetensors_entry_bits(const safetensors_tensor *t) {
  return t->format == NUMBER_UNSUPPORTED ? t->bits : 8 * number_format_size(t->format);
}

/* Fills in the counts up to the first that exceeds 64 bits; n when none does. */
/*@ requires valid: \valid(tensor + (0 .. n - 1));
    requires ranks: \forall integer i; 0 <= i < n ==> 0 <= tensor[i].rank <= SAFETENSORS_MAX_RANK;
    terminates \true;
    assigns tensor[0 .. n - 1].count;
    ensures range: 0 <= \result <= n;
    ensures right: \forall integer i; 0 <= i < \result ==> tensor_count_right(tensor + i); */
static size_t count_entries(safetensors_tensor *tensor, size_t n) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant right: \forall integer j; 0 <= j < i ==> tensor_count_right(tensor + j);
      loop assigns i, tensor[0 .. n - 1].count;
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) {
    const bool fits = tensor_count(&tensor[i].count, tensor[i].shape, tensor[i].rank);
    /*@ assert shapes: \forall integer j, k; 0 <= j <= i ==> 0 <= k < SAFETENSORS_MAX_RANK ==>
          tensor[j].shape[k] == \at(tensor[j].shape[k], LoopCurrent); */
    /*@ assert products: \forall integer j; 0 <= j <= i ==> shape_count(&(tensor + j)->shape[0], (tensor + j)->rank) ==
          \at(shape_count(&(tensor + j)->shape[0], (tensor + j)->rank), LoopCurrent); */
    /*@ assert counts: \forall integer j; 0 <= j < i ==> tensor[j].count == \at(tensor[j].count, LoopCurrent); */
    if (!fits) return i;
  }
  return n;
}

/*@ requires valid: \valid_read(t) && NUMBER_F64 <= t->format <= NUMBER_UNSUPPORTED;
    terminates \true;
    assigns \nothing;
    ensures problem: LAYOUT_OK <= \result <= LAYOUT_LENGTH;
    ensures right: \result == LAYOUT_OK ==> tensor_length_right(t) && t->range.begin <= t->range.end <= data_size; */
static layout_problem check_range(const safetensors_tensor *t, uint64_t data_size) {
  uint64_t size;
  if (!tensor_range_inside(t->range, data_size)) return LAYOUT_OUTSIDE;
  const uint64_t bits = safetensors_entry_bits(t);
  if (bits == 0) return LAYOUT_OK;
  return tensor_size(&size, t->count, bits) && size == t->range.end - t->range.begin ? LAYOUT_OK : LAYOUT_LENGTH;
}

/*@ requires valid: \valid_read(tensor + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    ensures problem: \result.problem == LAYOUT_OK || \result.problem == LAYOUT_ORDER ||
      \result.problem == LAYOUT_TRAILING;
    ensures at: \result.at <= n && (\result.problem == LAYOUT_ORDER <==> \result.at < n);
    ensures tiles: \result.problem == LAYOUT_OK <==> tensors_tile(tensor, n) && tensors_end(tensor, n) == data_size; */
static layout_verdict check_tiling(const safetensors_tensor *tensor, size_t n, uint64_t data_size) {
  uint64_t covered = 0;
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant covered: covered == tensors_end(tensor, i);
      loop invariant tiles: tensors_tile(tensor, i);
      loop assigns i, covered;
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) {
    if (tensor[i].range.begin != covered) return (layout_verdict){LAYOUT_ORDER, i};
    covered = tensor[i].range.end;
  }
  return (layout_verdict){covered == data_size ? LAYOUT_OK : LAYOUT_TRAILING, n};
}

layout_verdict safetensors_layout_check(safetensors_tensor *tensor, size_t n, uint64_t data_size) {
  const size_t counted = count_entries(tensor, n);
  if (counted < n) return (layout_verdict){LAYOUT_COUNT, counted};
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant right: \forall integer j; 0 <= j < i ==>
        tensor_length_right(tensor + j) && tensor[j].range.begin <= tensor[j].range.end <= data_size;
      loop assigns i;
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) {
    const layout_problem problem = check_range(&tensor[i], data_size);
    if (problem != LAYOUT_OK) return (layout_verdict){problem, i};
  }
  return check_tiling(tensor, n, data_size);
}
