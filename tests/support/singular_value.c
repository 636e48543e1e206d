#include "singular_value.h"

#include <lapacke.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel_case.h"

double largest_singular_value(const double *a, int rows, int columns) {
  const size_t count = (size_t)rows * (size_t)columns, least = (size_t)(rows < columns ? rows : columns);
  double *const copy = new_doubles(count), *const values = new_doubles(least), *const superb = new_doubles(least);
  double unused[1];
  memcpy(copy, a, count * sizeof *copy);
  assert_int_equal(
      LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', rows, columns, copy, columns, values, unused, 1, unused, 1, superb),
      0);
  const double largest = values[0];
  free(copy);
  free(values);
  free(superb);
  return largest;
}
