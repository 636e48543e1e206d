#include "model/format/tensor_values.h"

#include "base/arrays.h"
#include "model/format/safetensors_entries.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool tensor_values_count(const safetensors_tensor *t, uint64_t step) {
  const bool wide = strcmp(t->dtype, "I64") == 0;
  if (!wide && strcmp(t->dtype, "I32") != 0) return false;
  const size_t size = wide ? 8 : 4;
  for (uint64_t i = 0; i < t->count; i++) {
    for (size_t byte = 0; byte < size; byte++) {
      if (t->bytes[i * size + byte] != (i * step >> 8 * byte & 0xff)) return false;
    }
  }
  return true;
}

static bool is_byte(const safetensors_tensor *t) {
  return strcmp(t->dtype, "BOOL") == 0 || strcmp(t->dtype, "U8") == 0;
}

/* Row i of the mask; the numbers go through `row`. */
static bool is_mask_row(double *row, const safetensors_tensor *t, uint64_t i, uint64_t side, uint64_t window) {
  if (is_byte(t)) {
    for (uint64_t j = 0; j < side; j++) row[j] = t->bytes[i * side + j];
  } else if (safetensors_decode(row, t, (size_t)(i * side), (size_t)side) != side) {
    return false;
  }
  for (uint64_t j = 0; j < side; j++) {
    if (row[j] != (j <= i && i - j < window ? 1.0 : 0.0)) return false;
  }
  return true;
}

attcert_status tensor_values_mask(bool *right, const safetensors_tensor *t, uint64_t window, attcert_error *err) {
  const uint64_t side = t->rank >= 2 ? t->shape[t->rank - 1] : 0;
  *right = side > 0 && side <= INT_MAX && t->shape[t->rank - 2] == side && t->count == side * side &&
           (is_byte(t) || t->format != NUMBER_UNSUPPORTED);
  if (!*right) return ATTCERT_OK;
  double *const row = array_new((size_t)side, sizeof *row, err, "a row of a mask of %d tokens", (int)side);
  if (row == NULL) return ATTCERT_RESOURCE;
  for (uint64_t i = 0; i < side && *right; i++) *right = is_mask_row(row, t, i, side, window);
  free(row);
  return ATTCERT_OK;
}

bool tensor_values_at_most(const safetensors_tensor *t, double bound) {
  double value;
  return t->count == 1 && t->format != NUMBER_UNSUPPORTED && safetensors_decode(&value, t, 0, 1) == 1 && value <= bound;
}

bool tensor_values_equal(const safetensors_tensor *a, const safetensors_tensor *b) {
  const uint64_t bytes = a->range.end - a->range.begin;
  return strcmp(a->dtype, b->dtype) == 0 && a->rank == b->rank &&
         memcmp(a->shape, b->shape, (size_t)a->rank * sizeof a->shape[0]) == 0 &&
         bytes == b->range.end - b->range.begin && (bytes == 0 || memcmp(a->bytes, b->bytes, (size_t)bytes) == 0);
}
