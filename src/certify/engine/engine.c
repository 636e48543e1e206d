#include "certify/engine/engine.h"

#include "base/memory.h"
#include "certify/enclosure/direction.h"
#include "certify/engine/deflated.h"
#include "certify/engine/dense.h"
#include "certify/engine/mpfr_engine.h"
#include "certify/engine/pointwise.h"
#include "certify/jacobian/factored_jacobian_from_enclosure.h"
#include "linalg/lanczos.h"

#include <math.h>

static const engine_row table[] = {
    [ATTCERT_ENGINE_AUTO] = {.name = "auto"},
    [ATTCERT_ENGINE_MPFR] = {.name = "mpfr",
                             .width = 1e-12,
                             .least_side = true,
                             .bytes = mpfr_engine_bytes,
                             .seconds = mpfr_engine_seconds,
                             .bound = mpfr_engine_bound},
    [ATTCERT_ENGINE_DENSE] =
        {.name = "dense", .width = 1e-10, .bytes = dense_bytes, .seconds = dense_seconds, .bound = dense_bound},
    [ATTCERT_ENGINE_DEFLATED] = {.name = "deflated",
                                 .width = 1e-2,
                                 .relaxes = true,
                                 .bytes = deflated_bytes,
                                 .seconds = deflated_seconds,
                                 .bound = deflated_bound},
    [ATTCERT_ENGINE_POINTWISE] = {.name = "pointwise", .width = INFINITY, .bound = pointwise_bound},
};

enum { COUNT = sizeof table / sizeof table[0] };

const char *attcert_engine_name(attcert_engine engine) {
  return (size_t)engine < COUNT ? table[engine].name : NULL;
}

const engine_row *engine_of(attcert_engine engine) {
  return &table[engine];
}

double engine_width(attcert_engine engine, const attcert_options *options) {
  const engine_row *const row = engine_of(engine);
  if (options->tolerance <= 0.0) return row->width;
  return row->relaxes ? options->tolerance : fmin(options->tolerance, row->width);
}

uint64_t engine_layer_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  uint64_t bytes = memory_add(layer_enclosure_bytes(layer, n, precision), factored_jacobian_bytes(layer, n));
  bytes = memory_add(bytes, factored_jacobian_from_enclosure_bytes(layer, n, precision));
  bytes = memory_add(bytes, direction_bytes(layer, n, precision));
  return memory_add(bytes, lanczos_bytes((size_t)n * (size_t)layer->dim));
}

uint64_t engine_bytes(attcert_engine engine, const attcert_layer *layer, int n, mpfr_prec_t precision,
                      const attcert_options *options) {
  const engine_row *const row = engine_of(engine);
  const uint64_t bytes = engine_layer_bytes(layer, n, precision);
  return row->bytes != NULL ? memory_add(bytes, row->bytes(layer, n, precision, options)) : bytes;
}

double engine_seconds(attcert_engine engine, const attcert_layer *layer, int n, const attcert_options *options) {
  const engine_row *const row = engine_of(engine);
  return row->seconds != NULL ? row->seconds(layer, n, options) : 0.0;
}
