#include "onnx/onnx_tensor.h"

#include "base/arrays.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Entries of a tensor are counted in int, as those of a network's values are. */
enum { ENTRIES_MOST = 1 << 26 };

size_t onnx_shape_count(const onnx_shape *shape) {
  int64_t count = 1;
  for (int k = 0; k < shape->rank; k++) {
    if (shape->side[k] < 1 || shape->side[k] > ENTRIES_MOST / count) return 0;
    count *= shape->side[k];
  }
  return (size_t)count;
}

bool onnx_shape_equal(const onnx_shape *a, const onnx_shape *b) {
  return a->rank == b->rank && memcmp(a->side, b->side, (size_t)a->rank * sizeof a->side[0]) == 0;
}

/* Counted from the end; 1 beyond the first. */
static int64_t side_behind(const onnx_shape *shape, int k) {
  return k < shape->rank ? shape->side[shape->rank - 1 - k] : 1;
}

bool onnx_shape_broadcast(onnx_shape *to, const onnx_shape *a, const onnx_shape *b) {
  *to = (onnx_shape){.rank = a->rank > b->rank ? a->rank : b->rank};
  for (int k = 0; k < to->rank; k++) {
    const int64_t x = side_behind(a, k), y = side_behind(b, k);
    if (x != y && x != 1 && y != 1) return false;
    to->side[to->rank - 1 - k] = x == 1 ? y : x;
  }
  return true;
}

int onnx_shape_axis(const onnx_shape *shape, int64_t axis) {
  if (axis < -shape->rank || axis >= shape->rank) return -1;
  return (int)(axis < 0 ? axis + shape->rank : axis);
}

const char *onnx_shape_text(char text[ONNX_SHAPE_TEXT_SIZE], const onnx_shape *shape) {
  size_t at = (size_t)snprintf(text, ONNX_SHAPE_TEXT_SIZE, "[");
  for (int k = 0; k < shape->rank; k++)
    at += (size_t)snprintf(text + at, ONNX_SHAPE_TEXT_SIZE - at, "%s%" PRId64, k > 0 ? ", " : "", shape->side[k]);
  snprintf(text + at, ONNX_SHAPE_TEXT_SIZE - at, "]");
  return text;
}

onnx_tensor *onnx_tensor_new(const onnx_shape *shape, bool entries, bool numbers, attcert_error *err) {
  onnx_tensor *const t = array_new(1, sizeof *t, err, "a tensor");
  if (t == NULL) return NULL;
  const size_t count = onnx_shape_count(shape);
  char text[ONNX_SHAPE_TEXT_SIZE];
  *t = (onnx_tensor){.shape = *shape, .count = count, .value = -1, .scale = 1.0, .divided_by = 1.0, .factor = 1.0};
  const array_table table = {{ARRAY(t->entry, entries ? count : 0), ARRAY(t->number, numbers ? count : 0)}};
  if (array_table_allocate(&table, err, "a tensor of shape %s", onnx_shape_text(text, shape)) == ATTCERT_OK) return t;
  free(t);
  return NULL;
}

void onnx_tensor_free(onnx_tensor *t) {
  if (t == NULL) return;
  free(t->entry);
  free(t->number);
  free(t);
}

void onnx_tensor_take(onnx_tensor *t, size_t to, const onnx_tensor *other, size_t from) {
  const int entry = other->entry != NULL ? other->entry[from] : -1;
  if (t->entry != NULL) t->entry[to] = entry;
  if (t->number != NULL) t->number[to] = entry < 0 ? other->number[from] : 0.0;
}
