#include "certify/panels.h"

#include <stdlib.h>

static size_t entries(const panels *a, int p) {
  return (size_t)panel_rows(a, p) * (size_t)panel_columns(a, p);
}

attcert_status panels_init(panels *a, int n, attcert_error *err) {
  *a = (panels){.n = n, .width = n < PANEL_WIDTH ? n : PANEL_WIDTH};
  a->count = (n + a->width - 1) / a->width;
  a->panel = calloc((size_t)a->count, sizeof *a->panel);
  bool allocated = a->panel != NULL;
  for (int p = 0; allocated && p < a->count; p++)
    allocated = (a->panel[p] = calloc(entries(a, p), sizeof(double))) != NULL;
  if (allocated) return ATTCERT_OK;
  panels_clear(a);
  return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: the lower triangle of a matrix of side %d", n);
}

void panels_clear(panels *a) {
  for (int p = 0; a->panel != NULL && p < a->count; p++) free(a->panel[p]);
  free(a->panel);
  a->panel = NULL;
}

uint64_t panels_bytes(uint64_t n) {
  const uint64_t width = n < PANEL_WIDTH ? n : PANEL_WIDTH;
  if (n > UINT32_MAX) return UINT64_MAX;
  /* Half the square and half the diagonal blocks. */
  const uint64_t doubles = n * (n + width) / 2;
  return doubles > UINT64_MAX / sizeof(double) ? UINT64_MAX : doubles * sizeof(double);
}

void panels_put_transposed(const panels *a, int first_row, int rows, int first_column, int columns, const double *block,
                           size_t stride) {
  for (int r = 0; r < rows; r++) {
    const int column = first_row + r, p = column / a->width, at = column - panel_first(a, p);
    const size_t length = (size_t)panel_columns(a, p);
    const int start = column > first_column ? column - first_column : 0;
    double *const top = a->panel[p] + at;
    for (int c = start; c < columns; c++)
      top[(size_t)(first_column + c - panel_first(a, p)) * length] = block[(size_t)r * stride + (size_t)c];
  }
}
