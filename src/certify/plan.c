#include "certify/plan.h"

#include "base/parallel.h"
#include "base/process_group.h"
#include "certify/enclosure/direction.h"
#include "certify/engine/deflated.h"
#include "certify/engine/dense.h"
#include "certify/jacobian/explicit_gram.h"
#include "linalg/lanczos.h"
#include "linalg/nonnegative_norm.h"
#include "linalg/panels.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Sizes above which the mpfr engine takes many minutes. */
enum { EXPLICIT_SIDE = 2048, EXPLICIT_ENTRIES = 1 << 22, PRECISION_CAP = 16384 };

/* A multiplication of p-bit numbers costs at most about p^2; this many such units are a minute or so. */
static const double PATIENCE = 1e14;

/* Tolerance below which double precision cannot help; tolerance from which some hundreds of vectors do what a factorisation
 * of a large side does. */
static const double DOUBLE_TOLERANCE = 1e-11, DEFLATED_TOLERANCE = 1e-5;
enum { LARGE_SIDE = 4096 };

/* Memory that can be had without swapping: Linux's estimate, or the free pages. */
static uint64_t available_memory(void) {
  unsigned long long kib = 0;
  char line[128];
  FILE *const file = fopen("/proc/meminfo", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "MemAvailable: %llu kB", &kib) != 1) {
  }
  if (file != NULL) fclose(file);
  if (kib != 0) return (uint64_t)kib * 1024;
  const long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
}

uint64_t plan_memory(const attcert_options *options) {
  return options->memory_limit != 0 ? options->memory_limit : available_memory();
}

static uint64_t add_bytes(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t layer_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  uint64_t bytes = add_bytes(layer_enclosure_bytes(layer, n, precision), midpoint_layer_bytes(layer, n, precision));
  bytes = add_bytes(bytes, direction_bytes(layer, n, precision));
  return add_bytes(bytes, lanczos_bytes((size_t)n * (size_t)layer->dim));
}

uint64_t plan_bytes(attcert_engine engine, const attcert_layer *layer, int n, mpfr_prec_t precision,
                    const attcert_options *options) {
  const uint64_t base = layer_bytes(layer, n, precision);
  if (engine == ATTCERT_ENGINE_DENSE) {
    const dense_memory memory = dense_memory_of(layer, n, options);
    return add_bytes(base, add_bytes(memory.fixed, memory.least_panels));
  }
  if (engine == ATTCERT_ENGINE_DEFLATED) return add_bytes(base, deflated_bytes(layer, n));
  if (engine != ATTCERT_ENGINE_MPFR) return base;
  const uint64_t both = add_bytes(explicit_jacobian_bytes(layer, n, precision), explicit_gram_bytes(layer, n));
  return add_bytes(base, both);
}

uint64_t plan_panel_bytes(const plan *p, const attcert_layer *layer, int n, mpfr_prec_t precision,
                          const attcert_options *options) {
  const dense_memory memory = dense_memory_of(layer, n, options);
  const uint64_t rest = add_bytes(layer_bytes(layer, n, precision), memory.fixed);
  const uint64_t left = p->memory > rest ? p->memory - rest : 0;
  if (left < memory.least_panels) return memory.least_panels;
  return left < memory.all_panels ? left : memory.all_panels;
}

/* How the panels go through memory: p->panels, p->windows and p->bytes. */
static void plan_windows(plan *p, const attcert_layer *layer, int n, const attcert_options *options) {
  const panels a = panels_shape(p->side, options->group);
  p->panels = plan_panel_bytes(p, layer, n, options->precision, options);
  p->bytes = p->bytes - dense_memory_of(layer, n, options).least_panels + p->panels;
  for (int first = 0; first < a.count; first = panels_window_end(&a, first, p->panels)) p->windows++;
}

/* Flops a second of a 512^3 GEMM, measured where the answer will be worth the milliseconds. */
static double gemm_rate(int side) {
  enum { SIDE = 512, REPEAT = 3, WORTHWHILE = 2048 };
  const size_t count = (size_t)SIDE * SIDE;
  if (side < WORTHWHILE) return 2e10;
  double *const a = calloc(2 * count, sizeof(double));
  if (a == NULL) return 2e10;
  double best = INFINITY;
  for (int i = 0; i < REPEAT; i++) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, SIDE, SIDE, SIDE, 1.0, a, SIDE, a, SIDE, 0.0, a + count, SIDE);
    clock_gettime(CLOCK_MONOTONIC, &end);
    best = fmin(best, (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
  }
  free(a);
  return 2.0 * SIDE * SIDE * SIDE / fmax(best, 1e-9);
}

static double layer_operations(const attcert_layer *layer, int n) {
  const double width = (double)layer->heads * layer->head_dim, tokens = n;
  return 3.0 * tokens * width * layer->dim + 4.0 * tokens * tokens * width;
}

/* Interval multiply-adds of the explicit Jacobian: three for a head, a row of W_h, a column and a pair of tokens. */
static double explicit_operations(const attcert_layer *layer, int n) {
  const double tokens = n, height = layer->output_weight != NULL ? layer->out_dim : layer->head_dim;
  const double attended = layer->mask == ATTCERT_MASK_CAUSAL ? 0.5 * (tokens + 1.0) : tokens;
  return 3.0 * layer->heads * height * tokens * attended * layer->dim;
}

/* The explicit Jacobian at 250 ns an operation, then m^2 k / 2 multiply-adds of integers for the Gram matrix of m rows and
 * m^3 / 6 for its factor, at 5 ns each. */
static double explicit_seconds(const attcert_layer *layer, int n) {
  const double rows = (double)n * layer->out_dim, cols = (double)n * layer->dim, m = fmin(rows, cols);
  return 2.5e-7 * explicit_operations(layer, n) + 5e-9 * m * m * (fmax(rows, cols) / 2.0 + m / 6.0);
}

/* Rough: MPFR multiply-adds at 100 ns (128 bits), then the engine's flops: the Gram matrix's blocks and, for `dense`, a
 * factorisation of N^3 / 3 whose panels' squares take 4.5 N^2 w / 3 more, shared by the processes. A scratch folder's time is not
 * known. */
static double expected_seconds(const plan *p, const attcert_layer *layer, int n, const attcert_options *options) {
  const attcert_process_group *const group = options->group;
  const double processes = group != NULL ? group->size : 1.0;
  const int threads = parallel_threads(options->threads);
  const double side = p->side, mpfr = 3.0 * layer_operations(layer, n) * 1e-7 / threads;
  const double gram = 3.0 * side * side * layer->heads * layer->head_dim;
  if (p->engine == ATTCERT_ENGINE_DENSE)
    return mpfr + (gram + side * side * (side + 4.5 * PANEL_WIDTH) / 3.0) / processes / gemm_rate(p->side);
  if (p->engine == ATTCERT_ENGINE_DEFLATED) return mpfr + gram / gemm_rate(p->side);
  if (p->engine == ATTCERT_ENGINE_MPFR) return mpfr + explicit_seconds(layer, n) / threads;
  return mpfr;
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

/* What goes through the scratch file: written once, read for the windows that follow, and at most six times for || |L| ||. */
static void describe_scratch(const plan *p, char *text, size_t size, const attcert_options *options) {
  const panels a = panels_shape(p->side, options->group);
  const double file = (double)panel_store_file_bytes(&a);
  const double read = panel_store_read_bytes(&a, p->panels) / a.size + NONNEGATIVE_STEPS * file;
  snprintf(text, size, "; %d windows, a scratch file of %.2f GiB, up to %.2f GiB read from it", p->windows, file / GIB,
           read / GIB);
}

static void describe(const plan *p, char *text, size_t size, const attcert_options *options) {
  const bool automatic = options->engine == ATTCERT_ENGINE_AUTO;
  int length = snprintf(text, size, "engine %s, N = %d, %.2f GiB of memory, about %.1f s",
                        attcert_engine_name(p->engine), p->side, (double)p->bytes / GIB, p->seconds);
  if (p->windows > 1 && length > 0 && (size_t)length < size)
    describe_scratch(p, text + length, size - (size_t)length, options);
  const bool deflated = p->engine == ATTCERT_ENGINE_DEFLATED, pointwise = p->engine == ATTCERT_ENGINE_POINTWISE;
  if (automatic && p->dense > p->memory && (deflated || pointwise) && length > 0 && (size_t)length < size)
    snprintf(text + length, size - (size_t)length, "; dense would need %.2f GiB of %.2f GiB, so the upper end is %s",
             (double)p->dense / GIB, (double)p->memory / GIB,
             deflated ? "that of a deflation: valid, to a percent or so" : "the pointwise bound: valid but loose");
}

static attcert_engine choose(const plan *p, const attcert_options *options, double rows) {
  if (options->engine != ATTCERT_ENGINE_AUTO) return options->engine;
  if (p->explicit_feasible && options->tolerance > 0.0 && options->tolerance < DOUBLE_TOLERANCE)
    return ATTCERT_ENGINE_MPFR;
  const bool cheaper = rows >= LARGE_SIDE && options->tolerance >= DEFLATED_TOLERANCE && p->deflated <= p->memory;
  if (p->dense <= p->memory && !cheaper) return ATTCERT_ENGINE_DENSE;
  return p->deflated <= p->memory ? ATTCERT_ENGINE_DEFLATED : ATTCERT_ENGINE_POINTWISE;
}

attcert_status plan_make(plan *p, char *text, size_t text_size, const attcert_layer *layer, int n,
                         const attcert_options *options, attcert_error *err) {
  const double rows = (double)n * layer->out_dim, cols = (double)n * layer->dim, least = fmin(rows, cols);
  memset(p, 0, sizeof *p);
  text[0] = '\0';
  if (fmax(rows, cols) > INT32_MAX || (double)n * layer->heads > INT32_MAX)
    return attcert_fail(err, ATTCERT_RESOURCE, "a Jacobian of %.0f x %.0f is beyond this program's index range", rows,
                        cols);
  p->dense = plan_bytes(ATTCERT_ENGINE_DENSE, layer, n, options->precision, options);
  p->deflated = plan_bytes(ATTCERT_ENGINE_DEFLATED, layer, n, options->precision, options);
  const uint64_t reference = plan_bytes(ATTCERT_ENGINE_MPFR, layer, n, options->precision, options);
  p->memory = process_group_allreduce_min(options->group, plan_memory(options));
  p->explicit_feasible = least <= EXPLICIT_SIDE && rows * cols <= EXPLICIT_ENTRIES && reference <= p->memory;
  p->engine = choose(p, options, rows);
  p->side = (int)(p->engine == ATTCERT_ENGINE_MPFR ? least : rows);
  p->bytes = plan_bytes(p->engine, layer, n, options->precision, options);
  p->layer_precision_cap = plan_layer_precision_cap(layer, n, options->precision);
  p->explicit_precision_cap = precision_cap(options->precision, explicit_operations(layer, n));
  if (p->bytes > p->memory)
    return attcert_fail(err, ATTCERT_RESOURCE, "engine %s needs %llu bytes for N = %d, %llu may be used",
                        attcert_engine_name(p->engine), (unsigned long long)p->bytes, p->side,
                        (unsigned long long)p->memory);
  if (p->engine == ATTCERT_ENGINE_DENSE) plan_windows(p, layer, n, options);
  p->seconds = expected_seconds(p, layer, n, options);
  describe(p, text, text_size, options);
  return ATTCERT_OK;
}
