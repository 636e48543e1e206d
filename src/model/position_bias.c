#include "model/position_bias.h"

#include "model/family/model_config.h"

#include <math.h>
#include <stdlib.h>

/* The quotient of logarithms is an integer, or far from one, where it has to decide. */
int position_bucket(int offset, int buckets, int distance) {
  const int half = buckets / 2, exact = half / 2, side = offset > 0 ? half : 0, n = abs(offset);
  if (n < exact) return side + n;
  const double share = log((double)n / exact) / log((double)distance / exact);
  const int beyond = (int)floor(share * (half - exact) + 1e-9);
  return side + (exact + beyond < half ? exact + beyond : half - 1);
}

attcert_status position_bias_read(double *bias, int span, const tensor_source *source, const char *name,
                                  attcert_error *err) {
  const model_config *const config = source->config;
  const int buckets = config->position_buckets, heads = config->heads, offsets = 2 * span - 1;
  attcert_matrix table;
  attcert_status status = attcert_matrix_init(&table, buckets, heads, err);
  if (status != ATTCERT_OK) return status;
  status = tensor_source_matrix(table.data, source, name, buckets, heads, err);
  for (int k = 0; k < heads * offsets && status == ATTCERT_OK; k++) {
    const int h = k / offsets, b = position_bucket(k % offsets + 1 - span, buckets, config->position_distance);
    bias[k] = table.data[b * heads + h];
  }
  attcert_matrix_clear(&table);
  return status;
}
