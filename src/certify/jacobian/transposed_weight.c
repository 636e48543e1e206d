#include "certify/jacobian/transposed_weight.h"

void transposed_weight_load(point *out, const double *weight, int heads, int head_dim, int dim) {
  const size_t k = (size_t)head_dim, d = (size_t)dim;
  for (size_t h = 0; h < (size_t)heads; h++) {
    for (size_t c = 0; c < d; c++) {
      for (size_t r = 0; r < k; r++) mpfr_set_d(out[(h * d + c) * k + r].v, weight[(h * k + r) * d + c], MPFR_RNDN);
    }
  }
}
