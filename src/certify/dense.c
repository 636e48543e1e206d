#include "certify/dense.h"

#include "certify/cholesky_certificate.h"
#include "certify/norm_upward.h"
#include "certify/process_group.h"
#include "certify/structured_gram.h"
#include "certify/structured_jacobian.h"

#include <math.h>

dense_memory dense_memory_of(const attcert_layer *layer, int n, const attcert_options *options) {
  const uint64_t out = (uint64_t)layer->out_dim, side = (uint64_t)n * out;
  if (side > INT32_MAX) return (dense_memory){UINT64_MAX, UINT64_MAX, UINT64_MAX};
  const panels a = panels_shape((int)side, options->group);
  const bool file = options->scratch != NULL;
  dense_memory memory = {.all_panels = panels_share_bytes(&a, 0, a.count)};
  memory.least_panels = file ? panel_bytes(&a, 0) : memory.all_panels;
  memory.fixed = midpoint_layer_bytes(layer, n, 53) + structured_gram_bytes(layer, n) + out * out * sizeof(double) +
                 cholesky_certificate_bytes(&a, file);
  return memory;
}

/* The Gram matrix G~. */
typedef struct {
  structured_gram gram;
  const attcert_options *options;
} gram_source;

static attcert_status fill_gram(void *context, const panels *lower, attcert_error *err) {
  gram_source *const g = context;
  return structured_gram_fill(&g->gram, lower, g->options, err);
}

/* What is needed before the first factorisation: *radius >= ||J' - J~||, *absolute >= ||J^||^2, the Gram matrix's products. */
static attcert_status prepare(double *radius, double *absolute, structured_gram *gram, const midpoint_layer *m,
                              attcert_error *err) {
  attcert_status status = midpoint_layer_radius(radius, m, err);
  if (status == ATTCERT_OK) status = structured_jacobian_absolute_norm(absolute, m, err);
  return status == ATTCERT_OK ? structured_gram_init(gram, m, err) : status;
}

attcert_status dense_upper(mpfr_t upper, const midpoint_layer *m, double sigma, const panel_storage *storage,
                           const attcert_options *options, attcert_error *err) {
  mpfr_set_inf(upper, 1);
  double radius = 0.0, absolute = INFINITY, error = 0.0;
  gram_source g = {.options = options};
  const symmetric_source source = {structured_gram_side(m), fill_gram, &g};
  attcert_status status = process_group_agree(storage->group, prepare(&radius, &absolute, &g.gram, m, err), err);
  if (status == ATTCERT_OK)
    status = largest_eigenvalue_upper_from(upper, &source, sigma * sigma, storage, options, err);
  if (status == ATTCERT_OK) {
    structured_gram_share(&g.gram, storage->group);
    status = process_group_agree(storage->group, structured_gram_error(&error, &g.gram, absolute, err), err);
  }
  structured_gram_clear(&g.gram);
  if (status == ATTCERT_OK)
    norm_from_scaled_eigenvalue(upper, error, radius, m->exponent);
  else
    mpfr_set_inf(upper, 1);
  return status;
}
