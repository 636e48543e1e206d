#include "network/step_enclosure.h"

#include "base/arrays.h"
#include "interval/interval_vec.h"

#include <stdlib.h>

void step_scratch_init(step_scratch *scratch, mpfr_prec_t precision) {
  scratch->precision = precision;
  scratch->product_bits = 0;
  interval_scratch_init(&scratch->ws, precision);
  for (int i = 0; i < STEP_SCRATCH; i++) interval_init(&scratch->t[i], precision);
}

void step_scratch_clear(step_scratch *scratch) {
  interval_scratch_clear(&scratch->ws);
  for (int i = 0; i < STEP_SCRATCH; i++) interval_clear(&scratch->t[i]);
}

attcert_status step_enclosure_init(step_enclosure *e, int rows, int cols, mpfr_prec_t precision, attcert_error *err) {
  const size_t count = (size_t)rows * (size_t)cols;
  *e = (step_enclosure){.rows = rows, .cols = cols};
  e->entry = interval_vec_new(count, precision);
  if (e->entry != NULL) return ATTCERT_OK;
  return array_out_of_memory(err, interval_vec_bytes(count, precision), "a matrix of %d x %d intervals", rows, cols);
}

void step_enclosure_clear(step_enclosure *e) {
  interval_vec_free(e->entry);
  *e = (step_enclosure){0};
}

point *step_points(const double *x, int rows, int cols, bool transposed, attcert_error *err) {
  const size_t count = (size_t)rows * (size_t)cols;
  double *const ordered = array_new(count, sizeof *ordered, err, "%zu numbers", count);
  if (ordered == NULL) return NULL;
  for (size_t k = 0; k < count; k++) {
    const size_t i = k / (size_t)cols, c = k % (size_t)cols;
    ordered[transposed ? c * (size_t)rows + i : k] = x[k];
  }
  point *const points = point_vec_new(count, 53);
  if (points != NULL)
    point_vec_set_d(points, ordered, count);
  else
    array_out_of_memory(err, point_vec_bytes(count, 53), "%zu exact numbers", count);
  free(ordered);
  return points;
}
