#include "certify/engine/deflated.h"

#include "base/arrays.h"
#include "base/memory.h"
#include "base/minimum.h"
#include "certify/engine/dense.h"
#include "certify/engine/gemm_cost.h"
#include "certify/jacobian/block_gram.h"
#include "certify/jacobian/factored_jacobian_direction.h"
#include "linalg/eigenvalue/deflation.h"
#include "linalg/rounding/norm_upward.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

uint64_t deflated_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision, const attcert_options *options) {
  (void)precision, (void)options;
  return deflated_basis_bytes(layer, n, DEFLATED_BASIS_LEAST);
}

/* Of a search for the threshold: 60 steps of some 30 products with a matrix of side s and its transpose, each at a
 * tenth of a GEMM's rate. */
static const double SEARCH_FLOPS = 60.0 * 30.0 * 4.0 * 10.0;

/* The Gram matrix once. For s vectors: their products with J~ and J~^T, once as the basis grows and once after each
 * bound, which overwrites them; orthogonalisation, twice, 4 N s^2; bounds of s, s / 2, s / 4, ... vectors, each of 9 N
 * s^2 + 4 N out_dim s and a search. */
double deflated_flops(const attcert_layer *layer, int n, int vectors) {
  const double tokens = n, width = (double)layer->heads * layer->head_dim, side = tokens * layer->out_dim;
  const double s = fmin(vectors, side), output = layer->output_weight != NULL ? layer->out_dim : 0.0;
  const double product = 2.0 * tokens * width * (3.0 * layer->dim + 2.0 * tokens + output);
  return gemm_gram_flops(layer, n) + 4.0 * s * product + 16.0 * side * s * s + 6.0 * side * layer->out_dim * s +
         4.0 / 3.0 * SEARCH_FLOPS * s * s;
}

double deflated_seconds(const attcert_layer *layer, int n, const attcert_options *options) {
  (void)options;
  return gemm_seconds(deflated_flops(layer, n, DEFLATED_BASIS_LEAST), (double)n * layer->out_dim);
}

/* All vectors that memory may hold; of a basis that is to stay below the dense engine's time, those, and that engine
 * after it. */
double deflated_most_seconds(double seconds, const attcert_layer *layer, int n, const certify_limits *limits) {
  const int vectors = limits->deflated_vectors > 0 ? limits->deflated_vectors : n * layer->out_dim;
  const double least = deflated_flops(layer, n, DEFLATED_BASIS_LEAST), most = deflated_flops(layer, n, vectors);
  return seconds / least * (limits->deflated_vectors > 0 ? most + dense_flops(layer, n) : most);
}

/* Keeps the diagonal blocks of G~ and the sum of all squares. */
typedef struct {
  double *diagonal, *other;
  size_t out;
  double squares; /* of both triangles, rounded up */
} gram_summary;

static double *place_block(void *context, int row, int column, int first, int *count, int *stride) {
  const gram_summary *const g = context;
  (void)first, (void)count; /* all of it */
  *stride = (int)g->out;
  return row == column ? g->diagonal + (size_t)row * g->out * g->out : g->other;
}

static void add_squares(void *context, int row, int column) {
  gram_summary *const g = context;
  const double *const block = row == column ? g->diagonal + (size_t)row * g->out * g->out : g->other;
  double sum = 0.0;
  for (size_t r = 0; r < g->out; r++) sum += cblas_ddot((int)g->out, block + r * g->out, 1, block + r * g->out, 1);
  sum = round_up_nonnegative(sum, 2.0 * (double)g->out);
  g->squares = round_up_nonnegative(g->squares + (row == column ? sum : 2.0 * sum), 1.0);
}

/* Doubling the basis has brought the bound an eighth closer to what is wanted, or to a first bound. */
static bool is_worthwhile(double before, double bound, double wanted) {
  return isinf(before) || bound - wanted <= 0.875 * (before - wanted);
}

/* lambda >= lambda_max(J~ J~^T). */
static attcert_status grow(mpfr_t lambda, deflated_basis *t, const gram_facts *facts, double wanted,
                           const attcert_options *options, attcert_error *err) {
  krylov_basis *const q = &t->basis;
  mpfr_t bound;
  double before = INFINITY;
  mpfr_init2(bound, mpfr_get_prec(lambda));
  attcert_status status =
      q->size > 0 ? ATTCERT_OK : krylov_basis_extend(q, int_min(DEFLATED_BASIS_LEAST, t->capacity), options, err);
  while (status == ATTCERT_OK) {
    status = deflation_upper(bound, facts, q->q, q->y, q->size, err);
    q->overwritten = true;
    if (status == ATTCERT_OK) mpfr_min(lambda, lambda, bound, MPFR_RNDU);
    if (status != ATTCERT_OK || q->size == t->capacity || mpfr_cmp_d(lambda, wanted) <= 0) break;
    const double best = mpfr_get_d(lambda, MPFR_RNDU);
    if (!is_worthwhile(before, best, wanted)) break;
    before = best;
    status = krylov_basis_extend(q, int_min(2 * q->size, t->capacity), options, err);
  }
  mpfr_clear(bound);
  return status;
}

/* What a deflation needs to know of the Gram matrix, its diagonal blocks in g. */
static attcert_status examine(gram_facts *facts, gram_summary *g, const factored_jacobian *m, double absolute,
                              const attcert_options *options, attcert_error *err) {
  const gram_blocks blocks = {.place = place_block, .take = add_squares, .context = g};
  const attcert_status status = block_gram_once(&facts->gram_error, &blocks, m, absolute, options, err);
  facts->frobenius = round_up_nonnegative(sqrt(g->squares), 1.0);
  return status;
}

attcert_status deflated_upper(mpfr_t upper, deflated_basis *t, double sigma, double width,
                              const attcert_options *options, attcert_error *err) {
  const factored_jacobian *const m = t->jacobian.m;
  const size_t out = (size_t)m->out_dim;
  mpfr_set_inf(upper, 1);
  gram_summary g = {.out = out};
  const array_table arrays = {{ARRAY(g.diagonal, (size_t)m->n, out, out), ARRAY(g.other, out, out)}};
  attcert_status status = array_table_allocate(&arrays, err, "the diagonal of the Gram matrix");
  gram_facts facts = {.tokens = m->n, .block = m->out_dim, .diagonal = g.diagonal, .product_error = t->errors.gram};
  if (status == ATTCERT_OK) status = examine(&facts, &g, m, t->errors.absolute, options, err);
  const double wanted = sigma * sigma * (1.0 + width) * (1.0 + width);
  if (status == ATTCERT_OK) status = grow(upper, t, &facts, wanted, options, err);
  array_table_release(&arrays);
  if (status == ATTCERT_OK)
    norm_upward_from_scaled_eigenvalue(upper, 0.0, t->errors.radius, m->exponent);
  else
    mpfr_set_inf(upper, 1);
  return status;
}

/* An empty basis, which may take what memory the rest of the run leaves. Errors: ATTCERT_RESOURCE. */
static attcert_status deflated_begin(certify_run *r) {
  uint64_t memory = r->limits.memory - engine_layer_bytes(r->layer, r->x->rows, r->options->precision);
  if (r->limits.deflated_vectors > 0) {
    const uint64_t enough = deflated_basis_bytes(r->layer, r->x->rows, r->limits.deflated_vectors);
    memory = enough < memory ? enough : memory;
  }
  return deflated_basis_init(&r->d, &r->m, memory, r->err);
}

/* The direction comes from the basis that the upper end will need. */
attcert_status deflated_lower_in_double(mpfr_t lower, bool *settled, certify_run *r, double width) {
  attcert_status status = certify_run_report(r, "basis of the deflation");
  *settled = false;
  if (status == ATTCERT_OK) status = deflated_begin(r);
  if (status == ATTCERT_OK) status = deflated_basis_propose(r->u, &r->sigma, settled, &r->d, width, r->options, r->err);
  if (status != ATTCERT_OK || !*settled) return status;
  return factored_jacobian_direction_lower(lower, &r->m, &r->d.errors, r->u, r->err);
}

attcert_status deflated_bound(certify_run *r, double width) {
  mpfr_t upper;
  mpfr_init2(upper, 128);
  attcert_status status = r->d.basis.size > 0 ? ATTCERT_OK : deflated_begin(r);
  if (status == ATTCERT_OK) status = deflated_upper(upper, &r->d, r->sigma, width, r->options, r->err);
  deflated_basis_clear(&r->d);
  if (status == ATTCERT_OK) certify_run_improve_upper(r, upper, ATTCERT_ENGINE_DEFLATED);
  mpfr_clear(upper);
  return status;
}
