#include "linalg/exact/exact_rows_memory.h"

#include <stdlib.h>

bool exact_rows_exponents_init(exact_rows *a, size_t rows) {
  a->exponent = calloc(rows, sizeof(long));
  return a->exponent != NULL;
}

void exact_rows_exponents_clear(exact_rows *a) {
  free(a->exponent);
  a->exponent = NULL;
}

void exact_rows_set_exponent(exact_rows *a, size_t i, long exponent) {
  a->exponent[i] = exponent;
}

long exact_rows_exponent(const exact_rows *a, size_t i) {
  return a->exponent[i];
}
