#include "certify/enclosure/projection.h"
#include "linalg/exact/fixed_matrix.h"

uint64_t projection_bytes(int n, int dim) {
  return fixed_matrix_bytes((size_t)n, (size_t)dim, PROJECTION_DIGITS);
}
