#include "certify/engine/dense.h"

#include "base/process_group.h"
#include "certify/jacobian/block_gram.h"
#include "certify/jacobian/jacobian_errors.h"
#include "linalg/largest_eigenvalue.h"
#include "linalg/norm_upward.h"

dense_memory dense_memory_of(const attcert_layer *layer, int n, const attcert_options *options) {
  const uint64_t out = (uint64_t)layer->out_dim, side = (uint64_t)n * out;
  if (side > INT32_MAX) return (dense_memory){UINT64_MAX, UINT64_MAX, UINT64_MAX};
  const panels a = panels_shape((int)side, options->group);
  const bool file = options->scratch != NULL;
  dense_memory memory = {.all_panels = panels_share_bytes(&a, 0, a.count)};
  memory.least_panels = file ? panels_bytes(&a, 0) : memory.all_panels;
  memory.fixed = factored_jacobian_bytes(layer, n) + block_gram_bytes(layer, n) + out * out * sizeof(double) +
                 largest_eigenvalue_bytes(&a, file);
  return memory;
}

/* The Gram matrix G~. */
typedef struct {
  block_gram gram;
  const attcert_options *options;
} gram_source;

static attcert_status fill_gram(void *context, const panels *lower, attcert_error *err) {
  gram_source *const g = context;
  return block_gram_fill(&g->gram, lower, g->options, err);
}

attcert_status dense_upper(mpfr_t upper, const factored_jacobian *m, double sigma, const panel_storage *storage,
                           const attcert_options *options, attcert_error *err) {
  mpfr_set_inf(upper, 1);
  jacobian_errors errors;
  double error = 0.0;
  gram_source g = {.options = options};
  const symmetric_source source = {block_gram_side(m), fill_gram, &g};
  attcert_status status = jacobian_errors_of(&errors, m, err);
  if (status == ATTCERT_OK) status = block_gram_init(&g.gram, m, err);
  status = process_group_allreduce_status(storage->group, status, err);
  if (status == ATTCERT_OK)
    status = largest_eigenvalue_upper_of_source(upper, &source, sigma * sigma, storage, options, err);
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
