#include "model/format/safetensors_entries.h"

bool safetensors_is_vector(const safetensors_tensor *t, int length) {
  return length >= 0 && t->rank == 1 && t->shape[0] == (uint64_t)length;
}

bool safetensors_is_matrix(const safetensors_tensor *t, int rows, int cols) {
  /*@ assert entries: t->rank == 2 ==> t->count == t->shape[0] * t->shape[1]; */
  return rows >= 0 && cols >= 0 && t->rank == 2 && t->shape[0] == (uint64_t)rows && t->shape[1] == (uint64_t)cols;
}

bool safetensors_has_rows(const safetensors_tensor *t, int first, int count, int cols) {
  /*@ assert entries: t->rank == 2 ==> t->count == t->shape[0] * t->shape[1]; */
  /*@ assert fewer: first + count <= t->shape[0] ==> 0 <= cols ==> (first + count) * cols <= t->shape[0] * cols; */
  return first >= 0 && count >= 0 && cols >= 0 && t->rank == 2 && t->shape[1] == (uint64_t)cols &&
         (uint64_t)first + (uint64_t)count <= t->shape[0];
}

size_t safetensors_decode(double *out, const safetensors_tensor *t, size_t first, size_t count) {
  const size_t size = number_format_size(t->format);
  /*@ assert width: (size == 2 || size == 4 || size == 8) && entry_bits(t) == 8 * size; */
  /*@ assert length: 8 * (t->range.end - t->range.begin) == t->count * entry_bits(t); */
  /*@ assert whole: size * t->count == t->range.end - t->range.begin; */
  /*@ assert inside: 0 <= size * first && size * first + size * count <= t->range.end - t->range.begin; */
  /*@ assert exact: (size_t)(size * first) == size * first; */
  number_decode(out, t->bytes + size * first, count, t->format);
  return number_first_not_finite(out, count);
}
