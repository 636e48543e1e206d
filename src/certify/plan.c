#include "certify/plan.h"

#include "base/byte_text.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/process_group.h"
#include "certify/certify_lower.h"
#include "certify/engine/automatic.h"
#include "certify/engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

uint64_t plan_memory(const attcert_options *options) {
  return options->memory_limit != 0 ? options->memory_limit : memory_available();
}

int plan_layer_precision_cap(const attcert_layer *layer, int n, int precision) {
  return engine_precision_cap(precision, engine_layer_operations(layer, n));
}

/* The engine: what was asked for, or auto's choice among those that memory does for. */
static void choose(plan *p, const attcert_layer *layer, int n, const attcert_options *options) {
  const uint64_t memory = p->limits.memory;
  p->engine = p->preferred = options->engine;
  if (options->engine != ATTCERT_ENGINE_AUTO) return;
  p->engine = p->preferred = automatic_choose(&p->limits.deflated_vectors, layer, n, options, memory);
  for (attcert_engine next = p->engine; next != ATTCERT_ENGINE_AUTO; next = engine_of(next)->fallback) {
    p->engine = next;
    if (engine_fits(next, layer, n, options, memory)) break;
  }
  if (!automatic_takes_random(p->engine, layer, n, options, memory)) return;
  p->certain = p->engine;
  p->engine = p->preferred = ATTCERT_ENGINE_RANDOM;
}

/* Rough: MPFR multiply-adds at 100 ns (128 bits), unless double will do, then what the engine takes. */
static void expect_seconds(plan *p, const attcert_layer *layer, int n, const attcert_options *options) {
  const engine_row *const row = engine_of(p->engine);
  const bool in_double = certify_lower_tries_double(p->engine, options);
  const double mpfr = 3.0 * engine_layer_operations(layer, n) * 1e-7 / parallel_threads(options->threads);
  const double engine = engine_seconds(p->engine, layer, n, options);
  p->seconds = p->most = (in_double ? 0.0 : mpfr) + engine;
  if (row->most_seconds != NULL) p->most = mpfr + row->most_seconds(engine, layer, n, &p->limits);
}

/* What random starts are taken in place of, and the price. */
static void describe_random(const plan *p, char *text, size_t size, const attcert_layer *layer, int n,
                            const attcert_options *options) {
  const engine_row *const row = engine_of(p->certain);
  const int written = snprintf(text, size,
                               "; its upper end holds but for a probability of 2^%.0f; without one (--failure 0), "
                               "%s",
                               ceil(log2(options->failure)), row->name);
  if (written < 0 || (size_t)written >= size) return;
  if (isinf(row->width))
    snprintf(text + written, size - (size_t)written, " alone fits into memory");
  else
    snprintf(text + written, size - (size_t)written, " would take about %.0f s",
             engine_seconds(p->certain, layer, n, options));
}

static void describe(const plan *p, char *text, size_t size, const attcert_layer *layer, int n,
                     const attcert_options *options) {
  const double gib = 1024.0 * 1024.0 * 1024.0, memory = (double)p->limits.memory;
  const engine_row *const row = engine_of(p->engine);
  snprintf(text, size, "engine %s, N = %d, %.2f GiB of memory, about %.1f s", row->name, p->side,
           (double)p->bytes / gib, p->seconds);
  size_t used = strlen(text);
  if (row->most_seconds != NULL)
    snprintf(text + used, size - used, ", at most %.1f s where its basis must grow", p->most);
  used = strlen(text);
  if (row->scratch != NULL) row->scratch->describe(text + used, size - used, p->limits.memory, layer, n, options);
  used = strlen(text);
  if (p->certain != ATTCERT_ENGINE_AUTO) describe_random(p, text + used, size - used, layer, n, options);
  if (p->preferred != p->engine)
    snprintf(text + used, size - used, "; %s would need %.2f GiB of %.2f GiB, so the upper end is %s",
             engine_of(p->preferred)->name,
             (double)engine_bytes(p->preferred, layer, n, options->precision, options) / gib, memory / gib,
             row->bound_text);
}

/* What would help: less memory by a scratch file, by another engine. */
static attcert_status refuse_memory(const plan *p, const attcert_options *options, attcert_error *err) {
  char needed[BYTE_TEXT_SIZE], limit[BYTE_TEXT_SIZE];
  const engine_row *const row = engine_of(p->engine);
  const bool scratch = row->scratch != NULL && options->scratch == NULL;
  const bool automatic = options->engine != ATTCERT_ENGINE_AUTO && row->bytes != NULL;
  return attcert_fail(err, ATTCERT_RESOURCE, "engine %s needs %s for N = %d, %s may be used: expected more memory%s%s",
                      row->name, byte_text(needed, p->bytes), p->side, byte_text(limit, p->limits.memory),
                      scratch ? ", a folder for it (--scratch)" : "", automatic ? ", or --engine auto" : "");
}

attcert_status plan_make(plan *p, char *text, size_t text_size, const attcert_layer *layer, int n,
                         const attcert_options *options, attcert_error *err) {
  const double rows = (double)n * layer->out_dim, cols = (double)n * layer->dim;
  memset(p, 0, sizeof *p);
  text[0] = '\0';
  if (fmax(rows, cols) > INT32_MAX || (double)n * layer->heads > INT32_MAX)
    return attcert_fail(err, ATTCERT_RESOURCE, "a Jacobian of %.0f x %.0f is beyond this program's index range", rows,
                        cols);
  p->limits.memory = process_group_allreduce_min(options->group, plan_memory(options));
  p->limits.layer_precision_cap = plan_layer_precision_cap(layer, n, options->precision);
  choose(p, layer, n, options);
  const engine_row *const row = engine_of(p->engine);
  p->side = (int)(row->least_side ? fmin(rows, cols) : rows);
  p->bytes = engine_bytes(p->engine, layer, n, options->precision, options);
  if (p->bytes > p->limits.memory) return refuse_memory(p, options, err);
  if (row->scratch != NULL)
    p->bytes = memory_add(engine_layer_bytes(layer, n, options->precision),
                          row->scratch->bytes(p->limits.memory, layer, n, options->precision, options));
  expect_seconds(p, layer, n, options);
  describe(p, text, text_size, layer, n, options);
  return ATTCERT_OK;
}
