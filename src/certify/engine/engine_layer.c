#include "certify/engine/engine_layer.h"

#include "base/memory.h"
#include "certify/enclosure/direction.h"
#include "certify/jacobian/factored_jacobian_from_enclosure.h"
#include "linalg/operator/lanczos.h"

/* A multiplication of p-bit numbers costs at most about p^2; this many such units are a minute or so. */
static const double PATIENCE = 1e14;
enum { PRECISION_CAP = 16384 };

uint64_t engine_layer_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  uint64_t bytes = memory_add(layer_enclosure_bytes(layer, n, precision), factored_jacobian_bytes(layer, n));
  bytes = memory_add(bytes, factored_jacobian_from_enclosure_bytes(layer, n, precision));
  bytes = memory_add(bytes, direction_bytes(layer, n, precision));
  return memory_add(bytes, lanczos_bytes((size_t)n * (size_t)layer->dim));
}

uint64_t engine_layer_bytes_with(engine_bytes_function *bytes, const attcert_layer *layer, int n, mpfr_prec_t precision,
                                 const attcert_options *options) {
  const uint64_t common = engine_layer_bytes(layer, n, precision);
  return bytes != NULL ? memory_add(common, bytes(layer, n, precision, options)) : common;
}

double engine_layer_operations(const attcert_layer *layer, int n) {
  const double width = (double)layer->heads * layer->head_dim, tokens = n;
  return 3.0 * tokens * width * layer->dim + 4.0 * tokens * tokens * width;
}

int engine_precision_cap(int precision, double operations) {
  int cap = precision;
  while (cap <= PRECISION_CAP / 2 && operations * 4.0 * cap * cap <= PATIENCE) cap *= 2;
  return cap;
}
