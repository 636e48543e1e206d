#include "robust/input_symbols.h"

#include "base/arrays.h"

#include <stdlib.h>

static attcert_status add_segment(int *id, form_symbols *symbols, form_segment *segment, const ball_region *region,
                                  size_t at, attcert_error *err) {
  segment->bound =
      array_new((size_t)segment->width, sizeof *segment->bound, err, "the bounds of %d symbols", segment->width);
  if (segment->bound == NULL) return ATTCERT_RESOURCE;
  for (int k = 0; k < segment->width; k++)
    segment->bound[k] = region->box != NULL ? region->box->reach[at + (size_t)k] : region->radius;
  const attcert_status status = form_symbols_add(id, symbols, segment, err);
  free(segment->bound);
  return status;
}

/* Where the norm is a sum over all words: the one segment, made for the first of them. */
static attcert_status share_segment(int *id, int *first, form_symbols *symbols, const ball_region *region, int word,
                                    int rows, int cols, attcert_error *err) {
  form_segment all = {
      .width = ball_region_count(region, rows) * cols, .radius = region->radius, .sum = region->radius, .origin = -1};
  *id = 0;
  for (int i = 0; i < word; i++) *first += ball_region_moves(region, i) ? cols : 0;
  return *first > 0 ? ATTCERT_OK : add_segment(id, symbols, &all, region, 0, err);
}

attcert_status robust_input_symbols(form_layout *layout, int *first, form_symbols *symbols, const ball_region *region,
                                    int word, int rows, int cols, attcert_error *err) {
  const ball_kind *const kind = ball_region_kind(region);
  const bool sum = kind->norm == &ball_norm_sum;
  form_segment segment = {.width = cols,
                          .radius = ball_region_hull(region, rows, cols).radius,
                          .sum = sum ? region->radius : 0.0,
                          .input = !kind->each,
                          .origin = -1};
  int id;
  if (region->hull != NULL) segment.width = region->hull->first[word + 1] - region->hull->first[word];
  *first = 0;
  if (!(region->radius > 0.0) || !ball_region_moves(region, word)) return ATTCERT_OK;
  attcert_status status;
  if (!kind->each && sum)
    status = share_segment(&id, first, symbols, region, word, rows, cols, err);
  else if (!kind->each)
    status = form_symbols_add(&id, symbols, &segment, err);
  else
    status = add_segment(&id, symbols, &segment, region, (size_t)word * (size_t)cols, err);
  return status == ATTCERT_OK ? form_layout_set(layout, &id, 1, symbols, err) : status;
}
