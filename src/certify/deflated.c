#include "certify/deflated.h"

#include "certify/deflation.h"
#include "certify/norm_upward.h"
#include "certify/rounding.h"
#include "certify/structured_gram.h"
#include "certify/structured_jacobian.h"
#include "certify/subspace.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

/* FIRST vectors to begin with, twice as many at every further step, VECTORS at a time through the Jacobian. */
enum { FIRST = 128, VECTORS = 32 };

static int least(int a, int b) {
  return a < b ? a : b;
}

static uint64_t diagonal_bytes(uint64_t n, uint64_t out) {
  return n * out * out * sizeof(double);
}

/* What does not depend on the basis: the layer's factors in absolute value, the Gram matrix's blocks and scratch. */
static uint64_t fixed_bytes(const attcert_layer *layer, int n) {
  const uint64_t out = (uint64_t)layer->out_dim;
  return midpoint_layer_bytes(layer, n, 53) + structured_gram_bytes(layer, n) +
         structured_jacobian_bytes(layer, n, VECTORS) + diagonal_bytes((uint64_t)n, out) + out * out * sizeof(double);
}

/* Vectors, their images, and the small matrices of a deflation by s vectors. */
static uint64_t basis_bytes(const attcert_layer *layer, int n, int s) {
  return subspace_bytes(layer, n, VECTORS, s) + ((uint64_t)s * 4 + 2 * 1024) * (uint64_t)s * sizeof(double);
}

uint64_t deflated_bytes(const attcert_layer *layer, int n) {
  return fixed_bytes(layer, n) + basis_bytes(layer, n, least(FIRST, n * layer->out_dim));
}

/* Keeps the diagonal blocks of G~ and the sum of all squares. */
typedef struct {
  double *diagonal, *other;
  size_t out;
  double squares; /* of both triangles, rounded up */
} gram_summary;

static double *place_block(void *context, int row, int column, int *stride) {
  const gram_summary *const g = context;
  *stride = (int)g->out;
  return row == column ? g->diagonal + (size_t)row * g->out * g->out : g->other;
}

static void add_squares(void *context, int row, int column, const double *block, int stride) {
  gram_summary *const g = context;
  double sum = 0.0;
  for (size_t r = 0; r < g->out; r++)
    sum += cblas_ddot((int)g->out, block + r * (size_t)stride, 1, block + r * (size_t)stride, 1);
  sum = round_up_nonnegative(sum, 2.0 * (double)g->out);
  g->squares = round_up_nonnegative(g->squares + (row == column ? sum : 2.0 * sum), 1.0);
}

/* The most vectors that fit. */
static int capacity_of(const midpoint_layer *m, uint64_t memory) {
  const attcert_layer shape = {
      .dim = m->dim, .heads = m->heads, .head_dim = m->head_dim, .out_dim = m->out_dim, .output_weight = m->output};
  const uint64_t fixed = fixed_bytes(&shape, m->n);
  int s = least(FIRST, m->n * m->out_dim);
  while (s < m->n * m->out_dim && fixed + basis_bytes(&shape, m->n, 2 * s) <= memory) s *= 2;
  return least(s, m->n * m->out_dim);
}

/* lambda >= lambda_max(J~ J~^T). */
static attcert_status grow(mpfr_t lambda, subspace *q, const gram_facts *facts, double sigma, double width,
                           int capacity, const attcert_options *options, attcert_error *err) {
  mpfr_t bound;
  mpfr_init2(bound, mpfr_get_prec(lambda));
  attcert_status status = ATTCERT_OK;
  const double wanted = sigma * sigma * (1.0 + width) * (1.0 + width);
  for (int s = least(FIRST, capacity); status == ATTCERT_OK; s = least(2 * s, capacity)) {
    status = q->size == 0 ? subspace_begin(q, s, err) : subspace_grow(q, s, options, err);
    if (status == ATTCERT_OK) status = deflation_upper(bound, facts, q->q, q->y, s, err);
    if (status == ATTCERT_OK) mpfr_min(lambda, lambda, bound, MPFR_RNDU);
    if (s == capacity || mpfr_cmp_d(lambda, wanted) <= 0) break;
  }
  mpfr_clear(bound);
  return status;
}

attcert_status deflated_upper(mpfr_t upper, const midpoint_layer *m, double sigma, double width, uint64_t memory,
                              const attcert_options *options, attcert_error *err) {
  const size_t out = (size_t)m->out_dim;
  structured_jacobian jacobian = {0};
  subspace q = {0};
  double radius = 0.0, absolute = INFINITY;
  mpfr_set_inf(upper, 1);
  gram_summary g = {.out = out,
                    .diagonal = malloc((size_t)m->n * out * out * sizeof(double)),
                    .other = malloc(out * out * sizeof(double))};
  const gram_blocks blocks = {.place = place_block, .take = add_squares, .context = &g};
  gram_facts facts = {.tokens = m->n, .block = m->out_dim, .diagonal = g.diagonal};
  attcert_status status =
      g.diagonal != NULL && g.other != NULL
          ? ATTCERT_OK
          : attcert_fail(err, ATTCERT_RESOURCE, "out of memory: diagonal blocks of %d tokens", m->n);
  if (status == ATTCERT_OK) status = midpoint_layer_radius(&radius, m, err);
  if (status == ATTCERT_OK) status = structured_jacobian_absolute_norm(&absolute, m, err);
  if (status == ATTCERT_OK) status = structured_gram_once(&facts.gram_error, &blocks, m, absolute, options, err);
  if (status == ATTCERT_OK) status = structured_jacobian_gram_error(&facts.product_error, m, absolute, err);
  facts.frobenius = round_up_nonnegative(sqrt(g.squares), 1.0);
  const int capacity = capacity_of(m, memory);
  if (status == ATTCERT_OK) status = structured_jacobian_init(&jacobian, m, VECTORS, err);
  if (status == ATTCERT_OK) status = subspace_init(&q, &jacobian, capacity, err);
  if (status == ATTCERT_OK) status = grow(upper, &q, &facts, sigma, width, capacity, options, err);
  subspace_clear(&q);
  structured_jacobian_clear(&jacobian);
  free(g.diagonal);
  free(g.other);
  if (status == ATTCERT_OK)
    norm_from_scaled_eigenvalue(upper, 0.0, radius, m->exponent);
  else
    mpfr_set_inf(upper, 1);
  return status;
}
