#include "certify/engine/dense.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/process_group.h"
#include "certify/engine/gemm_cost.h"
#include "certify/engine/proposal.h"
#include "certify/jacobian/block_gram.h"
#include "certify/jacobian/jacobian_errors.h"
#include "linalg/eigenvalue/largest_eigenvalue.h"
#include "linalg/operator/nonnegative_norm.h"
#include "linalg/rounding/norm_upward.h"

#include <stdio.h>

dense_memory dense_memory_of(const attcert_layer *layer, int n, const attcert_options *options) {
  const uint64_t out = (uint64_t)layer->out_dim, side = (uint64_t)n * out;
  if (side > INT32_MAX) return (dense_memory){UINT64_MAX, UINT64_MAX, UINT64_MAX};
  const panels a = panels_shape((int)side, options->group);
  const bool file = options->scratch != NULL;
  dense_memory memory = {.all_panels = panels_share_bytes(&a, 0, a.count)};
  memory.least_panels = file ? panels_bytes(&a, 0) : memory.all_panels;
  memory.fixed = factored_jacobian_bytes(layer, n) + block_gram_bytes(layer, n) + out * out * sizeof(double) +
                 largest_eigenvalue_bytes(&a, file, parallel_threads(options->threads));
  return memory;
}

uint64_t dense_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision, const attcert_options *options) {
  (void)precision;
  const dense_memory memory = dense_memory_of(layer, n, options);
  return memory_add(memory.fixed, memory.least_panels);
}

/* The Gram matrix's blocks and a factorisation of N^3 / 3, whose panels' squares take 4.5 N^2 w / 3 more. */
double dense_flops(const attcert_layer *layer, int n) {
  const double side = (double)n * layer->out_dim;
  return gemm_gram_flops(layer, n) + side * side * (side + 4.5 * PANEL_WIDTH) / 3.0;
}

/* Shared by the processes. A scratch folder's time is not known. */
double dense_seconds(const attcert_layer *layer, int n, const attcert_options *options) {
  const attcert_process_group *const group = options->group;
  const double processes = group != NULL ? group->size : 1.0;
  return gemm_seconds(dense_flops(layer, n) / processes, (double)n * layer->out_dim);
}

/* All of the panels, or what the rest of the run leaves. */
static uint64_t window_bytes(uint64_t memory, const attcert_layer *layer, int n, mpfr_prec_t precision,
                             const attcert_options *options) {
  const dense_memory need = dense_memory_of(layer, n, options);
  const uint64_t rest = memory_add(engine_layer_bytes(layer, n, precision), need.fixed);
  const uint64_t left = memory > rest ? memory - rest : 0;
  if (left < need.least_panels) return need.least_panels;
  return left < need.all_panels ? left : need.all_panels;
}

dense_windows dense_windows_of(uint64_t memory, const attcert_layer *layer, int n, mpfr_prec_t precision,
                               const attcert_options *options) {
  const panels a = panels_shape(n * layer->out_dim, options->group);
  dense_windows w = {.bytes = window_bytes(memory, layer, n, precision, options)};
  for (int first = 0; first < a.count; first = panels_window_end(&a, first, w.bytes)) w.count++;
  return w;
}

/* ---- the scratch file -------------------------------------------------------------------------------------------- */

static uint64_t dense_scratch_bytes(uint64_t memory, const attcert_layer *layer, int n, mpfr_prec_t precision,
                                    const attcert_options *options) {
  const dense_windows w = dense_windows_of(memory, layer, n, precision, options);
  return memory_add(dense_memory_of(layer, n, options).fixed, w.bytes);
}

/* Written once, read for the windows that follow, and at most six times for || |L| ||. */
static void dense_describe_scratch(char *text, size_t size, uint64_t memory, const attcert_layer *layer, int n,
                                   const attcert_options *options) {
  const double gib = 1024.0 * 1024.0 * 1024.0;
  const dense_windows w = dense_windows_of(memory, layer, n, options->precision, options);
  if (w.count == 1) return;
  const panels a = panels_shape(n * layer->out_dim, options->group);
  const double file = (double)panel_store_file_bytes(&a);
  const double read = panel_store_read_bytes(&a, w.bytes) / a.size + NONNEGATIVE_STEPS * file;
  snprintf(text, size, "; %d windows, a scratch file of %.2f GiB, up to %.2f GiB read from it", w.count, file / gib,
           read / gib);
}

static attcert_status dense_open_scratch(certify_run *r) {
  const int n = r->x->rows;
  attcert_status status = panel_file_open(&r->scratch, r->options->scratch, r->err);
  const dense_windows w = dense_windows_of(r->limits.memory, r->layer, n, r->options->precision, r->options);
  if (status != ATTCERT_OK || w.count == 1) return status;
  const panels a = panels_shape(n * r->layer->out_dim, r->options->group);
  return panel_file_reserve(&r->scratch, panel_store_file_bytes(&a), r->err);
}

const engine_scratch dense_scratch = {dense_scratch_bytes, dense_describe_scratch, dense_open_scratch};

/* ---- the bound --------------------------------------------------------------------------------------------------- */

/* The Gram matrix G~, and the best proposal so far. */
typedef struct {
  block_gram gram;
  const factored_jacobian *m;
  double *u, *sigma;
  const attcert_options *options;
} gram_source;

static attcert_status fill_gram(void *context, const panels *lower, attcert_error *err) {
  gram_source *const g = context;
  return block_gram_fill(&g->gram, lower, g->options, err);
}

static attcert_status improve_proposal(void *context, double *guess, const double *w, attcert_error *err) {
  gram_source *const g = context;
  const attcert_status status = proposal_find_from_output(g->u, g->sigma, g->m, w, g->options, err);
  *guess = *g->sigma * *g->sigma;
  return status;
}

attcert_status dense_upper(mpfr_t upper, const factored_jacobian *m, double *u, double *sigma,
                           const panel_storage *storage, const attcert_options *options, attcert_error *err) {
  mpfr_set_inf(upper, 1);
  jacobian_errors errors;
  double error = 0.0;
  gram_source g = {.m = m, .u = u, .sigma = sigma, .options = options};
  const symmetric_source source = {block_gram_side(m), fill_gram, improve_proposal, &g};
  attcert_status status = jacobian_errors_of(&errors, m, err);
  if (status == ATTCERT_OK) status = block_gram_init(&g.gram, m, err);
  status = process_group_allreduce_status(storage->group, status, err);
  if (status == ATTCERT_OK)
    status = largest_eigenvalue_upper_of_source(upper, &source, *sigma * *sigma, storage, options, err);
  if (status == ATTCERT_OK) {
    block_gram_share(&g.gram, storage->group);
    status =
        process_group_allreduce_status(storage->group, block_gram_error(&error, &g.gram, errors.absolute, err), err);
  }
  block_gram_clear(&g.gram);
  if (status == ATTCERT_OK)
    norm_upward_from_scaled_eigenvalue(upper, error, errors.radius, m->exponent);
  else
    mpfr_set_inf(upper, 1);
  return status;
}

/* What the factorisation found: a direction and an estimate. */
static attcert_status take_better_proposal(certify_run *r) {
  bool sharp;
  certify_run_keep_estimate(r);
  return certify_run_allreduce_status(r, certify_run_improve_lower(r, r->u, &sharp));
}

attcert_status dense_bound(certify_run *r, double width) {
  (void)width; /* one factorisation, as sharp as it is */
  const attcert_options *const o = r->options;
  const dense_windows w = dense_windows_of(r->limits.memory, r->layer, r->x->rows, r->certificate->precision, o);
  const panel_storage storage = {
      .group = o->group, .file = o->scratch != NULL ? &r->scratch : NULL, .window_bytes = w.bytes};
  mpfr_t upper;
  mpfr_init2(upper, 128);
  const double proposed = r->sigma;
  attcert_status status = dense_upper(upper, &r->m, r->u, &r->sigma, &storage, o, r->err);
  if (status == ATTCERT_OK && r->sigma != proposed) status = take_better_proposal(r);
  if (status == ATTCERT_OK) certify_run_improve_upper(r, upper, ATTCERT_ENGINE_DENSE);
  mpfr_clear(upper);
  return status;
}
