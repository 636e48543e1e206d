#include "robust/input_symbols.h"

#include "base/arrays.h"

#include <stdlib.h>

attcert_status robust_input_symbols(form_layout *layout, form_symbols *symbols, const ball_region *region, int word,
                                    int rows, int cols, attcert_error *err) {
  if (!(region->radius > 0.0) || !ball_region_moves(region, word)) return ATTCERT_OK;
  const bool each = ball_region_kind(region)->each;
  form_segment segment = {
      .width = cols, .radius = ball_region_hull(region, rows, cols).radius, .input = !each, .origin = -1};
  if (each) {
    segment.bound = array_new((size_t)cols, sizeof *segment.bound, err, "the bounds of %d symbols", cols);
    if (segment.bound == NULL) return ATTCERT_RESOURCE;
  }
  for (int k = 0; each && k < cols; k++) segment.bound[k] = region->radius;
  int id;
  attcert_status status = form_symbols_add(&id, symbols, &segment, err);
  if (status == ATTCERT_OK) status = form_layout_set(layout, &id, 1, symbols, err);
  free(segment.bound);
  return status;
}
