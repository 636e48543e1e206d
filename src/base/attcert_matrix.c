/* Matrices of the public API. */
#include "attcert.h"
#include "base/arrays.h"

#include <stdlib.h>

attcert_status attcert_matrix_init(attcert_matrix *m, int rows, int cols, attcert_error *err) {
  if (m == NULL) return attcert_fail(err, ATTCERT_INPUT, "matrix: NULL, expected one to initialise");
  *m = (attcert_matrix){rows, cols, NULL};
  if (rows <= 0 || cols <= 0)
    return attcert_fail(err, ATTCERT_INPUT, "a matrix needs positive sides, got %d x %d", rows, cols);
  m->data = array_new(ARRAY_COUNT((size_t)rows, (size_t)cols), sizeof *m->data, err, "a %d x %d matrix", rows, cols);
  return m->data != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
}

void attcert_matrix_clear(attcert_matrix *m) {
  if (m == NULL) return;
  free(m->data);
  *m = (attcert_matrix){0, 0, NULL};
}
