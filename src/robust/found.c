#include "robust/found.h"

#include "base/arrays.h"

#include <stdlib.h>
#include <string.h>

void robust_found_clear(robust_found *found) {
  for (int k = 0; k < found->count; k++) {
    robust_found_difference *const d = &found->difference[k];
    const array_table table = {{ARRAY(d->slope, 0), ARRAY(d->node, 0), ARRAY(d->multiplier, 0)}};
    array_table_release(&table);
  }
  free(found->difference);
  *found = (robust_found){0};
}

attcert_status robust_found_add(robust_found_difference **added, robust_found *found, int other, attcert_error *err) {
  if (found->count == found->capacity) {
    const int capacity = 2 * found->capacity + 8;
    robust_found_difference *const more =
        array_new((size_t)capacity, sizeof *more, err, "what is found of %d classes", capacity);
    if (more == NULL) return ATTCERT_RESOURCE;
    if (found->count > 0) memcpy(more, found->difference, (size_t)found->count * sizeof *more);
    free(found->difference);
    found->difference = more;
    found->capacity = capacity;
  }
  *added = &found->difference[found->count++];
  **added = (robust_found_difference){.other = other};
  return ATTCERT_OK;
}

const robust_found_difference *robust_found_of(const robust_found *found, int other) {
  for (int k = 0; found != NULL && k < found->count; k++)
    if (found->difference[k].other == other) return &found->difference[k];
  return NULL;
}

uint64_t robust_found_bytes(const robust_found *found) {
  uint64_t sum = 0;
  for (int k = 0; k < found->count; k++) {
    const robust_found_difference *const d = &found->difference[k];
    sum += d->slopes * sizeof *d->slope + d->nodes * sizeof *d->node + d->multipliers * sizeof *d->multiplier;
  }
  return sum;
}
