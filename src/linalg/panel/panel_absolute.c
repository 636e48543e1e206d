#include "linalg/panel/panel_absolute.h"

#include "base/parallel.h"

#include <math.h>
#include <string.h>

size_t panel_absolute_images(int n, int columns) {
  return (size_t)panel_chunks(n) * (size_t)columns;
}

/* The panel, in chunks of its rows. */
typedef struct {
  const panel_part *part;
  int n;
  const double *x;
  double *y;
  double *images; /* [chunks][columns]: what each adds to |L_p|^T x, which the first one then holds */
} absolute_square;

static void add_image(void *context, int chunk) {
  const absolute_square *const s = context;
  const int columns = s->part->columns, first = s->part->first_row + chunk * PANEL_CHUNK;
  const int end = first + panel_chunk_rows(s->n, first);
  double *const image = s->images + chunk * columns;
  memset(image, 0, sizeof(double) * (size_t)columns);
  for (int i = first; i < end; i++) {
    const double *const row = s->part->data + (size_t)(i - s->part->first_row) * (size_t)columns;
    for (int j = 0; j < columns; j++) image[j] += fabs(row[j]) * s->x[i];
  }
}

static double absolute_product(const double *a, const double *x, int count) {
  enum { LANES = 8 };
  double lane[LANES] = {0.0}, sum = 0.0;
  int j = 0;
  for (; j + LANES <= count; j += LANES)
    for (int l = 0; l < LANES; l++) lane[l] += fabs(a[j + l]) * x[j + l];
  for (; j < count; j++) sum += fabs(a[j]) * x[j];
  for (int l = 0; l < LANES; l++) sum += lane[l];
  return sum;
}

static void add_rows(void *context, int chunk) {
  const absolute_square *const s = context;
  const int columns = s->part->columns, first = s->part->first_row + chunk * PANEL_CHUNK;
  const int end = first + panel_chunk_rows(s->n, first);
  for (int i = first; i < end; i++)
    s->y[i] += absolute_product(s->part->data + (size_t)(i - s->part->first_row) * (size_t)columns, s->images, columns);
}

void panel_add_absolute_square(double *y, const double *x, const panel_part *part, int n, double *images, int threads) {
  absolute_square s = {part, n, x, y, images};
  const int chunks = panel_chunks(n - part->first_row), columns = part->columns;
  parallel_for(chunks, threads, add_image, &s);
  for (int chunk = 1; chunk < chunks; chunk++)
    for (int j = 0; j < columns; j++) images[j] += images[chunk * columns + j];
  parallel_for(chunks, threads, add_rows, &s);
}
