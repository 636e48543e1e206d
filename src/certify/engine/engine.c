#include "certify/engine/engine.h"

#include "certify/engine/deflated.h"
#include "certify/engine/dense.h"
#include "certify/engine/engine_layer.h"
#include "certify/engine/mpfr_engine.h"
#include "certify/engine/pointwise.h"
#include "certify/engine/random_engine.h"

#include <math.h>

static const engine_row table[] = {
    [ATTCERT_ENGINE_AUTO] = {.name = "auto"},
    [ATTCERT_ENGINE_MPFR] = {.name = "mpfr",
                             .width = 1e-12,
                             .least_side = true,
                             .bytes = mpfr_engine_bytes,
                             .seconds = mpfr_engine_seconds,
                             .feasible = mpfr_engine_is_feasible,
                             .bound = mpfr_engine_bound},
    [ATTCERT_ENGINE_DENSE] = {.name = "dense",
                              .width = 1e-10,
                              .trusts_blas = true,
                              .fallback = ATTCERT_ENGINE_DEFLATED,
                              .sharper = ATTCERT_ENGINE_MPFR,
                              .too_wide = "in double",
                              .bytes = dense_bytes,
                              .seconds = dense_seconds,
                              .scratch = &dense_scratch,
                              .bound = dense_bound,
                              .bound_again = mpfr_engine_bound_in_double},
    [ATTCERT_ENGINE_DEFLATED] = {.name = "deflated",
                                 .width = 1e-2,
                                 .relaxes = true,
                                 .trusts_blas = true,
                                 .fallback = ATTCERT_ENGINE_POINTWISE,
                                 .sharper = ATTCERT_ENGINE_DENSE,
                                 .bound_text = "that of a deflation: valid, to a percent or so",
                                 .too_wide = "by deflation",
                                 .bytes = deflated_bytes,
                                 .seconds = deflated_seconds,
                                 .most_seconds = deflated_most_seconds,
                                 .lower_in_double = deflated_lower_in_double,
                                 .bound = deflated_bound},
    [ATTCERT_ENGINE_POINTWISE] = {.name = "pointwise",
                                  .width = INFINITY,
                                  .trusts_blas = true,
                                  .bound_text = POINTWISE_BOUND_TEXT,
                                  .bound = pointwise_bound},
    [ATTCERT_ENGINE_RANDOM] = {.name = "random",
                               .width = 1e-2,
                               .relaxes = true,
                               .trusts_blas = true,
                               .unhurried = true,
                               .sharper = ATTCERT_ENGINE_DEFLATED,
                               .too_wide = "with random starts",
                               .bytes = random_engine_bytes,
                               .seconds = random_engine_seconds,
                               .lower_in_double = random_engine_lower_in_double,
                               .bound = random_engine_bound},
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

uint64_t engine_bytes(attcert_engine engine, const attcert_layer *layer, int n, mpfr_prec_t precision,
                      const attcert_options *options) {
  return engine_layer_bytes_with(engine_of(engine)->bytes, layer, n, precision, options);
}

bool engine_fits(attcert_engine engine, const attcert_layer *layer, int n, const attcert_options *options,
                 uint64_t memory) {
  return engine_bytes(engine, layer, n, options->precision, options) <= memory;
}

bool engine_is_feasible(attcert_engine engine, const attcert_layer *layer, int n, const attcert_options *options,
                        uint64_t memory) {
  const engine_row *const row = engine_of(engine);
  return engine_fits(engine, layer, n, options, memory) && (row->feasible == NULL || row->feasible(layer, n));
}

double engine_seconds(attcert_engine engine, const attcert_layer *layer, int n, const attcert_options *options) {
  const engine_row *const row = engine_of(engine);
  return row->seconds != NULL ? row->seconds(layer, n, options) : 0.0;
}
