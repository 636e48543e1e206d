#include "certify/plan.h"

#include "base/byte_text.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/process_group.h"
#include "certify/certify_lower.h"
#include "certify/engine/deflated.h"
#include "certify/engine/engine.h"
#include "certify/engine/mpfr_engine.h"
#include "linalg/nonnegative_norm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A multiplication of p-bit numbers costs at most about p^2; this many such units are a minute or so. */
static const double PATIENCE = 1e14;
enum { PRECISION_CAP = 16384 };

/* Tolerance below which double precision cannot help; tolerances from which some hundreds of vectors do what a
 * factorisation of a large side does, for several heads and for one, whose spectrum falls faster. */
static const double DOUBLE_TOLERANCE = 1e-11, DEFLATED_TOLERANCE = 1e-5, DEFLATED_TOLERANCE_OF_ONE = 1e-9;
enum { LARGE_SIDE = 4096 };

uint64_t plan_memory(const attcert_options *options) {
  return options->memory_limit != 0 ? options->memory_limit : memory_available();
}

static double layer_operations(const attcert_layer *layer, int n) {
  const double width = (double)layer->heads * layer->head_dim, tokens = n;
  return 3.0 * tokens * width * layer->dim + 4.0 * tokens * tokens * width;
}

/* Rough: MPFR multiply-adds at 100 ns (128 bits), unless double will do, then what the engine takes. */
static void expect_seconds(plan *p, const attcert_layer *layer, int n, const attcert_options *options) {
  const bool in_double = certify_lower_tries_double(p->engine, options);
  const double mpfr = 3.0 * layer_operations(layer, n) * 1e-7 / parallel_threads(options->threads);
  const double engine = engine_seconds(p->engine, layer, n, options);
  p->seconds = p->most = (in_double ? 0.0 : mpfr) + engine;
  if (p->engine != ATTCERT_ENGINE_DEFLATED) return;
  const int vectors = p->limits.deflated_vectors > 0 ? p->limits.deflated_vectors : p->side;
  const double least = deflated_flops(layer, n, DEFLATED_BASIS_LEAST), most = deflated_flops(layer, n, vectors);
  p->most = mpfr + engine * most / least;
  if (p->limits.deflated_vectors > 0) p->most += engine * dense_flops(layer, n) / least;
}

/* The largest power-of-two multiple of the asked precision that `operations` allow. */
static int precision_cap(int precision, double operations) {
  int cap = precision;
  while (cap <= PRECISION_CAP / 2 && operations * 4.0 * cap * cap <= PATIENCE) cap *= 2;
  return cap;
}

int plan_layer_precision_cap(const attcert_layer *layer, int n, int precision) {
  return precision_cap(precision, layer_operations(layer, n));
}

static const double GIB = 1024.0 * 1024.0 * 1024.0;

/* What goes through the scratch file: written once, read for the windows that follow, and at most six times for
 * || |L| ||. */
static void describe_scratch(const plan *p, char *text, size_t size, const attcert_options *options) {
  const panels a = panels_shape(p->side, options->group);
  const double file = (double)panel_store_file_bytes(&a);
  const double read = panel_store_read_bytes(&a, p->windows.bytes) / a.size + NONNEGATIVE_STEPS * file;
  snprintf(text, size, "; %d windows, a scratch file of %.2f GiB, up to %.2f GiB read from it", p->windows.count,
           file / GIB, read / GIB);
}

static void describe(const plan *p, char *text, size_t size, const attcert_options *options) {
  const bool automatic = options->engine == ATTCERT_ENGINE_AUTO;
  int length = snprintf(text, size, "engine %s, N = %d, %.2f GiB of memory, about %.1f s",
                        attcert_engine_name(p->engine), p->side, (double)p->bytes / GIB, p->seconds);
  if (p->engine == ATTCERT_ENGINE_DEFLATED && length > 0 && (size_t)length < size)
    length += snprintf(text + length, size - (size_t)length, ", at most %.1f s where its basis must grow", p->most);
  if (p->windows.count > 1 && length > 0 && (size_t)length < size)
    describe_scratch(p, text + length, size - (size_t)length, options);
  const bool deflated = p->engine == ATTCERT_ENGINE_DEFLATED, pointwise = p->engine == ATTCERT_ENGINE_POINTWISE;
  if (automatic && p->dense > p->limits.memory && (deflated || pointwise) && length > 0 && (size_t)length < size)
    snprintf(text + length, size - (size_t)length, "; dense would need %.2f GiB of %.2f GiB, so the upper end is %s",
             (double)p->dense / GIB, (double)p->limits.memory / GIB,
             deflated ? "that of a deflation: valid, to a percent or so" : "the pointwise bound: valid but loose");
}

/* How the dense engine's panels go through memory, and what that takes in all. */
static void plan_windows(plan *p, const attcert_layer *layer, int n, const attcert_options *options) {
  p->windows = dense_windows_of(p->limits.memory, layer, n, options->precision, options);
  p->bytes = p->bytes - dense_memory_of(layer, n, options).least_panels + p->windows.bytes;
}

/* The vectors of a deflation that costs no more than the dense engine, where it may do what that does; 0: too few. */
static int vectors_instead_of_dense(const plan *p, const attcert_layer *layer, int n, const attcert_options *options) {
  const double least_tolerance = layer->heads == 1 ? DEFLATED_TOLERANCE_OF_ONE : DEFLATED_TOLERANCE;
  const double rows = (double)n * layer->out_dim, dense = dense_flops(layer, n);
  if (options->engine != ATTCERT_ENGINE_AUTO || p->dense > p->limits.memory || p->deflated > p->limits.memory) return 0;
  if (rows < LARGE_SIDE || options->tolerance < least_tolerance) return 0;
  int vectors = 0;
  for (int more = DEFLATED_BASIS_LEAST; more <= rows && deflated_flops(layer, n, more) <= dense; more *= 2)
    vectors = more;
  return vectors;
}

static attcert_engine choose(const plan *p, const attcert_options *options) {
  if (options->engine != ATTCERT_ENGINE_AUTO) return options->engine;
  if (p->explicit_feasible && options->tolerance > 0.0 && options->tolerance < DOUBLE_TOLERANCE)
    return ATTCERT_ENGINE_MPFR;
  if (p->dense <= p->limits.memory && p->limits.deflated_vectors == 0) return ATTCERT_ENGINE_DENSE;
  return p->deflated <= p->limits.memory ? ATTCERT_ENGINE_DEFLATED : ATTCERT_ENGINE_POINTWISE;
}

/* What would help: less memory by a scratch file, by another engine. */
static attcert_status refuse_memory(const plan *p, const attcert_options *options, attcert_error *err) {
  char needed[BYTE_TEXT_SIZE], limit[BYTE_TEXT_SIZE];
  const bool scratch = p->engine == ATTCERT_ENGINE_DENSE && options->scratch == NULL;
  const bool automatic = options->engine != ATTCERT_ENGINE_AUTO && options->engine != ATTCERT_ENGINE_POINTWISE;
  return attcert_fail(err, ATTCERT_RESOURCE, "engine %s needs %s for N = %d, %s may be used: expected more memory%s%s",
                      attcert_engine_name(p->engine), byte_text(needed, p->bytes), p->side,
                      byte_text(limit, p->limits.memory), scratch ? ", a folder for it (--scratch)" : "",
                      automatic ? ", or --engine auto" : "");
}

attcert_status plan_make(plan *p, char *text, size_t text_size, const attcert_layer *layer, int n,
                         const attcert_options *options, attcert_error *err) {
  const double rows = (double)n * layer->out_dim, cols = (double)n * layer->dim;
  memset(p, 0, sizeof *p);
  text[0] = '\0';
  if (fmax(rows, cols) > INT32_MAX || (double)n * layer->heads > INT32_MAX)
    return attcert_fail(err, ATTCERT_RESOURCE, "a Jacobian of %.0f x %.0f is beyond this program's index range", rows,
                        cols);
  p->dense = engine_bytes(ATTCERT_ENGINE_DENSE, layer, n, options->precision, options);
  p->deflated = engine_bytes(ATTCERT_ENGINE_DEFLATED, layer, n, options->precision, options);
  p->mpfr = engine_bytes(ATTCERT_ENGINE_MPFR, layer, n, options->precision, options);
  p->mpfr_seconds = engine_seconds(ATTCERT_ENGINE_MPFR, layer, n, options);
  p->limits.memory = process_group_allreduce_min(options->group, plan_memory(options));
  p->explicit_feasible = mpfr_engine_is_feasible(layer, n) && p->mpfr <= p->limits.memory;
  p->limits.deflated_vectors = vectors_instead_of_dense(p, layer, n, options);
  p->engine = choose(p, options);
  p->side = (int)(engine_of(p->engine)->least_side ? fmin(rows, cols) : rows);
  p->bytes = engine_bytes(p->engine, layer, n, options->precision, options);
  p->limits.layer_precision_cap = plan_layer_precision_cap(layer, n, options->precision);
  p->limits.explicit_precision_cap = precision_cap(options->precision, mpfr_engine_operations(layer, n));
  if (p->bytes > p->limits.memory) return refuse_memory(p, options, err);
  if (p->engine == ATTCERT_ENGINE_DENSE) plan_windows(p, layer, n, options);
  expect_seconds(p, layer, n, options);
  describe(p, text, text_size, options);
  return ATTCERT_OK;
}
