#include "certify/engine/deflated_basis.h"

#include "base/arrays.h"
#include "base/minimum.h"
#include "certify/jacobian/block_gram.h"
#include "linalg/operator/dense_matrix.h"
#include "linalg/operator/lanczos.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

/* VECTORS at a time through the Jacobian. For a direction START vectors, and STEP more at every further step, up to
 * MOST. */
enum { VECTORS = 32, START = 64, STEP = 16, MOST = 512 };

static uint64_t diagonal_bytes(uint64_t n, uint64_t out) {
  return n * out * out * sizeof(double);
}

/* What does not depend on the basis: the layer's factors in absolute value, the Gram matrix's blocks and scratch. */
static uint64_t fixed_bytes(const attcert_layer *layer, int n) {
  const uint64_t out = (uint64_t)layer->out_dim;
  return factored_jacobian_bytes(layer, n) + block_gram_bytes(layer, n) + structured_jacobian_bytes(layer, n, VECTORS) +
         diagonal_bytes((uint64_t)n, out) + out * out * sizeof(double);
}

/* Vectors, their images, and the small matrices of a deflation by s vectors. */
static uint64_t basis_bytes(const attcert_layer *layer, int n, int s) {
  return krylov_basis_bytes(layer, n, VECTORS, s) + ((uint64_t)s * 4 + 2 * 1024) * (uint64_t)s * sizeof(double);
}

uint64_t deflated_basis_bytes(const attcert_layer *layer, int n, int vectors) {
  return fixed_bytes(layer, n) + basis_bytes(layer, n, int_min(vectors, n * layer->out_dim));
}

/* The most vectors that fit. */
static int capacity_of(const factored_jacobian *m, uint64_t memory) {
  const attcert_layer shape = {
      .dim = m->dim, .heads = m->heads, .head_dim = m->head_dim, .out_dim = m->out_dim, .output_weight = m->output};
  const uint64_t fixed = fixed_bytes(&shape, m->n);
  int s = int_min(DEFLATED_BASIS_LEAST, m->n * m->out_dim);
  while (s < m->n * m->out_dim && fixed + basis_bytes(&shape, m->n, 2 * s) <= memory) s *= 2;
  return int_min(s, m->n * m->out_dim);
}

attcert_status deflated_basis_init(deflated_basis *t, const factored_jacobian *m, uint64_t memory, attcert_error *err) {
  *t = (deflated_basis){.capacity = capacity_of(m, memory)};
  attcert_status status = structured_jacobian_init(&t->jacobian, m, VECTORS, err);
  if (status == ATTCERT_OK) status = structured_jacobian_prepare_square(&t->jacobian, err);
  if (status == ATTCERT_OK) status = jacobian_errors_of(&t->errors, m, err);
  if (status == ATTCERT_OK) status = krylov_basis_init(&t->basis, &t->jacobian, t->capacity, err);
  if (status != ATTCERT_OK) deflated_basis_clear(t);
  return status;
}

void deflated_basis_clear(deflated_basis *t) {
  krylov_basis_clear(&t->basis);
  structured_jacobian_clear(&t->jacobian);
}

/* ---- a direction ------------------------------------------------------------------------------------------------- */

/* The largest Ritz value of J~ J~^T in a basis, its vector z, and the residual J~ J~^T z - value z. */
typedef struct {
  double value, residual; /* residual: its norm */
  double *z;
  double *b, *a, *r; /* scratch: s x s, s, N */
} ritz_pair;

static attcert_status ritz_of(ritz_pair *p, const krylov_basis *q, int length, attcert_error *err) {
  const dense_matrix matrix = {p->b, q->size, q->size};
  const linear_operator op = dense_matrix_operator(&matrix);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, q->size, q->size, length, 1.0, q->q, length, q->y, length, 0.0,
              p->b, q->size);
  const attcert_status status = lanczos_top(p->a, &p->value, &op, NULL, err);
  if (status != ATTCERT_OK) return status;
  cblas_dgemv(CblasRowMajor, CblasTrans, q->size, length, 1.0, q->q, length, p->a, 1, 0.0, p->z, 1);
  cblas_dgemv(CblasRowMajor, CblasTrans, q->size, length, 1.0, q->y, length, p->a, 1, 0.0, p->r, 1);
  cblas_daxpy(length, -p->value, p->z, 1, p->r, 1);
  p->residual = cblas_dnrm2(length, p->r, 1);
  return ATTCERT_OK;
}

/* Extends the basis until the Ritz value has settled, or stops short of it. What it lacks, and what a deflation will
 * add, is about the square of the residual over the distance to the rest of the spectrum, here taken for a tenth of the
 * value. */
static attcert_status settle(bool *settled, ritz_pair *p, deflated_basis *t, double width,
                             const attcert_options *options, attcert_error *err) {
  const int length = t->jacobian.m->n * t->jacobian.m->out_dim, most = int_min(MOST, t->capacity);
  attcert_status status = ATTCERT_OK;
  *settled = false;
  for (int size = START; status == ATTCERT_OK && !*settled && t->basis.size < most; size += STEP) {
    status = krylov_basis_extend(&t->basis, int_min(size, most), options, err);
    if (status == ATTCERT_OK) status = ritz_of(p, &t->basis, length, err);
    *settled = status == ATTCERT_OK && p->residual <= sqrt(0.1 * width) * p->value;
  }
  return status;
}

attcert_status deflated_basis_propose(double *u, double *sigma, bool *settled, deflated_basis *t, double width,
                                      const attcert_options *options, attcert_error *err) {
  const factored_jacobian *const m = t->jacobian.m;
  const int length = m->n * m->out_dim, cols = m->n * m->dim;
  const size_t s = (size_t)int_min(MOST, t->capacity);
  double *const work = array_new(s * s + s + 2 * (size_t)length, sizeof *work, err, "a Ritz pair");
  if (work == NULL) return ATTCERT_RESOURCE;
  ritz_pair p = {.b = work, .a = work + s * s, .z = work + s * s + s, .r = work + s * s + s + (size_t)length};
  const attcert_status status = settle(settled, &p, t, width, options, err);
  if (*settled) {
    structured_jacobian_multiply(&t->jacobian, u, p.z, 1, true);
    const double norm = cblas_dnrm2(cols, u, 1);
    if (norm > 0.0) cblas_dscal(cols, 1.0 / norm, u, 1);
    *sigma = sqrt(p.value);
  }
  free(work);
  return status;
}
