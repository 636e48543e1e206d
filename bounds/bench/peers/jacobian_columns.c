/* See jacobian_columns.h. */
#include "jacobian_columns.h"

#include "certify/jacobian/structured_jacobian.h"

#include <stdlib.h>
#include <string.h>

enum { VECTORS = 64 }; /* unit vectors at a time */

static attcert_status fill_columns(const jacobian_columns *a, const factored_jacobian *m, attcert_error *err) {
  const size_t length = (size_t)a->columns;
  double *const units = malloc(VECTORS * length * sizeof(double));
  structured_jacobian s = {0};
  attcert_status status = structured_jacobian_init(&s, m, VECTORS, err);
  if (status == ATTCERT_OK && units == NULL)
    status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %d vectors of length %zu", VECTORS, length);
  for (int first = 0; status == ATTCERT_OK && first < a->columns; first += VECTORS) {
    const int count = a->columns - first < VECTORS ? a->columns - first : VECTORS;
    memset(units, 0, VECTORS * length * sizeof(double));
    for (int b = 0; b < count; b++) units[(size_t)b * length + (size_t)(first + b)] = 1.0;
    structured_jacobian_multiply(&s, a->values + (size_t)first * (size_t)a->rows, units, count, false);
  }
  structured_jacobian_clear(&s);
  free(units);
  return status;
}

attcert_status jacobian_columns_init(jacobian_columns *a, const factored_jacobian *m, attcert_error *err) {
  *a = (jacobian_columns){m->n * m->out_dim, m->n * m->dim, NULL};
  a->values = malloc((size_t)a->rows * (size_t)a->columns * sizeof(double));
  if (a->values == NULL)
    return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a %d x %d matrix", a->rows, a->columns);
  return fill_columns(a, m, err);
}

void jacobian_columns_clear(jacobian_columns *a) {
  free(a->values);
  a->values = NULL;
}
