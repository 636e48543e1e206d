/* The largest eigenvalue of an array in memory. */
#include "base/arrays.h"
#include "linalg/eigenvalue/largest_eigenvalue.h"
#include "linalg/operator/lanczos.h"

#include <stdlib.h>

/* G + shift I: of an array, the upper triangle is G. */
typedef struct {
  const double *g;
  int n;
  double shift;
} upper_triangle;

static attcert_status fill_from_array(void *context, const panels *lower, attcert_error *err) {
  const upper_triangle *const a = context;
  (void)err;
  panels_put_transposed(lower, 0, a->n, 0, a->n, a->g, (size_t)a->n);
  return ATTCERT_OK;
}

static void apply_upper_triangle(const void *context, double *y, const double *x, bool transpose) {
  const upper_triangle *const a = context;
  (void)transpose; /* symmetric */
  for (int i = 0; i < a->n; i++) y[i] = a->shift * x[i];
  for (int i = 0; i < a->n; i++) { /* row i from the diagonal on, and the same numbers as a column */
    const double *const row = a->g + (size_t)i * (size_t)a->n;
    y[i] += row[i] * x[i];
    for (int j = i + 1; j < a->n; j++) {
      y[i] += row[j] * x[j];
      y[j] += row[j] * x[i];
    }
  }
}

/* Lanczos from w for ||G||, which may be that of a negative eigenvalue; then for the largest one of G + ||G|| I, which
 * has no others. */
static attcert_status improve_from_array(void *context, double *guess, const double *w, attcert_error *err) {
  upper_triangle shifted = *(const upper_triangle *)context;
  const linear_operator op = {shifted.n, shifted.n, apply_upper_triangle, &shifted};
  double *const vector = array_new((size_t)shifted.n, sizeof *vector, err, "a direction of a matrix");
  if (vector == NULL) return ATTCERT_RESOURCE;
  double top = 0.0;
  attcert_status status = lanczos_top_from(vector, &shifted.shift, &op, w, NULL, err);
  if (status == ATTCERT_OK) status = lanczos_top_from(vector, &top, &op, w, NULL, err);
  *guess = top - shifted.shift;
  free(vector);
  return status;
}

attcert_status largest_eigenvalue_upper(mpfr_t upper, const double *g, int n, double guess,
                                        const attcert_options *options, attcert_error *err) {
  upper_triangle triangle = {g, n, 0.0};
  const symmetric_source source = {n, fill_from_array, improve_from_array, &triangle};
  const panel_storage in_memory = {0};
  return largest_eigenvalue_upper_of_source(upper, &source, guess, &in_memory, options, err);
}
