#include "linalg/panel/panels.h"

#include "base/arrays.h"
#include "base/minimum.h"

#include <math.h>
#include <stdlib.h>

panels panels_shape(int n, const attcert_process_group *group) {
  panels a = {.n = n, .width = n < PANEL_WIDTH ? n : PANEL_WIDTH, .size = 1};
  a.count = (n - 1) / a.width + 1;
  if (group != NULL) {
    a.rank = group->rank;
    a.size = group->size;
  }
  return a;
}

attcert_status panels_init(panels *a, int n, const attcert_process_group *group, attcert_error *err) {
  *a = panels_shape(n, group);
  a->panel = array_new((size_t)a->count, sizeof *a->panel, err, "a list of %d panels", a->count);
  return a->panel != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
}

static void drop(panels *a) {
  for (int p = 0; a->panel != NULL && p < a->count; p++) a->panel[p] = NULL;
  free(a->block);
  a->block = NULL;
  a->first = a->end = 0;
}

void panels_clear(panels *a) {
  drop(a);
  free(a->panel);
  a->panel = NULL;
}

attcert_status panels_hold(panels *a, int first, int end, attcert_error *err) {
  if (a->block != NULL && a->first == first && a->end == end) return ATTCERT_OK;
  size_t doubles = 0;
  drop(a);
  for (int p = first; p < end; p++)
    if (panel_is_own(a, p)) doubles += panel_offset(a, p, a->n);
  a->block = array_new(doubles, sizeof *a->block, err, "panels %d to %d of a matrix of side %d", first, end - 1, a->n);
  if (a->block == NULL) return ATTCERT_RESOURCE;
  a->first = first;
  a->end = end;
  double *next = a->block;
  for (int p = first; p < end; p++) {
    if (!panel_is_own(a, p)) continue;
    a->panel[p] = next;
    next += panel_offset(a, p, a->n);
  }
  return ATTCERT_OK;
}

uint64_t panels_bytes(const panels *a, int p) {
  return panel_offset(a, p, a->n) * sizeof(double);
}

uint64_t panels_share_bytes(const panels *a, int first, int end) {
  uint64_t bytes = 0;
  for (int p = first; p < end; p += a->size) {
    const uint64_t more = panels_bytes(a, p);
    if (bytes > UINT64_MAX - more) return UINT64_MAX;
    bytes += more;
  }
  return bytes;
}

int panels_window_end(const panels *a, int first, uint64_t bytes) {
  int end = first + a->size < a->count ? first + a->size : a->count;
  for (uint64_t share = panels_bytes(a, first); end < a->count; end++) {
    if ((end - first) % a->size == 0) share += panels_bytes(a, end);
    if (share > bytes) break;
  }
  return end;
}

/* Of a block's rows, that many at a time: they put a line of the cache into a row of the panel, which is touched once.
 * One by one they would come back to each line, and lines a power of two apart share few places. */
enum { ROWS_AT_ONCE = 8 };

void panels_put_transposed(const panels *a, int first_row, int rows, int first_column, int columns, const double *block,
                           size_t stride) {
  for (int first = first_row, end; first < first_row + rows; first = end) {
    const int p = first / a->width, begin = panel_first(a, p);
    end = int_min(int_min(first + ROWS_AT_ONCE, first_row + rows), begin + a->width);
    if (a->panel[p] == NULL) continue;
    for (int c = first > first_column ? first : first_column; c < first_column + columns; c++) {
      double *const row = panel_row(a, p, c);
      const double *const from = block + (size_t)(c - first_column);
      for (int r = first; r < end && r <= c; r++) row[r - begin] = from[(size_t)(r - first_row) * stride];
    }
  }
}

void panels_add_row_sums(double *of_rows, double *of_columns, const double *tile, int first_row, int rows,
                         int first_column, int columns) {
  for (int i = 0; i < rows; i++) {
    const int below = first_row + i - first_column, length = below < columns ? below : columns;
    const double *const row = tile + (size_t)i * (size_t)columns;
    double sum = 0.0;
    for (int j = 0; j < length; j++) {
      const double x = fabs(row[j]);
      sum += x;
      of_columns[j] += x;
    }
    of_rows[i] += below < columns ? sum + fabs(row[below]) : sum;
  }
}
