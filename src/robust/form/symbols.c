#include "robust/form/symbols.h"

#include "base/arrays.h"

#include <stdlib.h>
#include <string.h>

static attcert_status grow(form_symbols *symbols, attcert_error *err) {
  const int capacity = 2 * symbols->capacity + 64;
  form_segment *const segment = array_new((size_t)capacity, sizeof *segment, err, "a table of %d symbols", capacity);
  if (segment == NULL) return ATTCERT_RESOURCE;
  if (symbols->count > 0) memcpy(segment, symbols->segment, (size_t)symbols->count * sizeof *segment);
  free(symbols->segment);
  symbols->segment = segment;
  symbols->capacity = capacity;
  return ATTCERT_OK;
}

attcert_status form_symbols_add(int *id, form_symbols *symbols, const form_segment *segment, attcert_error *err) {
  const size_t width = (size_t)segment->width;
  double *bound = NULL;
  if (symbols->count == symbols->capacity) {
    const attcert_status status = grow(symbols, err);
    if (status != ATTCERT_OK) return status;
  }
  if (segment->bound != NULL) {
    bound = array_new(width, sizeof *bound, err, "the bounds of %d symbols", segment->width);
    if (bound == NULL) return ATTCERT_RESOURCE;
    memcpy(bound, segment->bound, width * sizeof *bound);
  }
  *id = symbols->count++;
  symbols->segment[*id] = *segment;
  symbols->segment[*id].bound = bound;
  return ATTCERT_OK;
}

void form_symbols_clear(form_symbols *symbols) {
  for (int i = 0; i < symbols->count; i++) free(symbols->segment[i].bound);
  free(symbols->segment);
  *symbols = (form_symbols){0};
}
