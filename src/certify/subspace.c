#include "certify/subspace.h"

#include "certify/uniform.h"

#include <cblas.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a block, and products that sharpen a basis. Small blocks see more of each vector's powers; BLAS wants some rows at a time. */
enum { BLOCK = 16, POWER_STEPS = 2 };

static size_t length_of(const subspace *s) {
  return (size_t)s->jacobian->m->n * (size_t)s->jacobian->m->out_dim;
}

uint64_t subspace_bytes(const attcert_layer *layer, int n, int vectors, int capacity) {
  const uint64_t length = (uint64_t)n * (uint64_t)layer->out_dim, image = (uint64_t)n * (uint64_t)layer->dim;
  return (2 * (uint64_t)capacity * length + (uint64_t)vectors * image + (uint64_t)capacity) * sizeof(double);
}

attcert_status subspace_init(subspace *s, const structured_jacobian *jacobian, int capacity, attcert_error *err) {
  const size_t rows = (size_t)capacity, image = (size_t)jacobian->m->n * (size_t)jacobian->m->dim;
  *s = (subspace){.jacobian = jacobian};
  s->q = malloc(rows * length_of(s) * sizeof(double));
  s->y = malloc(rows * length_of(s) * sizeof(double));
  s->image = malloc((size_t)jacobian->vectors * image * sizeof(double));
  s->scales = malloc(rows * sizeof(double));
  if (s->q != NULL && s->y != NULL && s->image != NULL && s->scales != NULL) return ATTCERT_OK;
  subspace_clear(s);
  return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a basis of %d vectors", capacity);
}

void subspace_clear(subspace *s) {
  free(s->q);
  free(s->y);
  free(s->image);
  free(s->scales);
  *s = (subspace){0};
}

static double *row_of(double *rows, const subspace *s, int i) {
  return rows + (size_t)i * length_of(s);
}

/* y := q J~ J~^T in rows first to end - 1 */
static void multiply(const subspace *s, int first, int end) {
  const int step = s->jacobian->vectors;
  for (; first < end; first += step) {
    const int count = end - first < step ? end - first : step;
    structured_jacobian_multiply(s->jacobian, s->image, row_of(s->q, s, first), count, true);
    structured_jacobian_multiply(s->jacobian, row_of(s->y, s, first), s->image, count, false);
  }
}

/* An orthonormal basis of q's rows first to end - 1, in their place: they are the columns of a column-major matrix. */
static attcert_status orthonormalise(const subspace *s, int first, int end, attcert_error *err) {
  const int length = (int)length_of(s), count = end - first;
  double *const rows = row_of(s->q, s, first);
  int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, length, count, rows, length, s->scales);
  if (info == 0) info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, length, count, count, rows, length, s->scales);
  return info == 0 ? ATTCERT_OK
                   : attcert_fail(err, ATTCERT_RESOURCE, "out of memory: factorising a basis of %d vectors", count);
}

/* Rows first to end - 1 of q: orthonormal, and orthogonal to those before them; twice, as once leaves what cancels. The products go
 * where y's rows will come. */
static attcert_status append(const subspace *s, int first, int end, attcert_error *err) {
  const int length = (int)length_of(s), count = end - first;
  double *const rows = row_of(s->q, s, first), *const products = row_of(s->y, s, first);
  attcert_status status = ATTCERT_OK;
  for (int pass = 0; pass < 2 && status == ATTCERT_OK; pass++) {
    if (first > 0) {
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, count, first, length, 1.0, rows, length, s->q, length, 0.0,
                  products, first);
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, count, length, first, -1.0, products, first, s->q, length,
                  1.0, rows, length);
    }
    status = orthonormalise(s, first, end, err);
  }
  return status;
}

/* Vectors of chance. */
static void fill(const subspace *s, int first, int end) {
  const size_t length = length_of(s);
  for (size_t i = (size_t)first * length; i < (size_t)end * length; i++) s->q[i] = uniform_entry(i);
}

attcert_status subspace_begin(subspace *s, int size, attcert_error *err) {
  const int step = BLOCK < s->jacobian->vectors ? BLOCK : s->jacobian->vectors;
  attcert_status status = ATTCERT_OK;
  fill(s, 0, step < size ? step : size);
  for (int first = 0; first < size && status == ATTCERT_OK; first += step) {
    const int end = first + step < size ? first + step : size;
    if (first > 0)
      memcpy(row_of(s->q, s, first), row_of(s->y, s, first - step),
             (size_t)(end - first) * length_of(s) * sizeof(double));
    status = append(s, first, end, err);
    if (status == ATTCERT_OK) multiply(s, first, end);
  }
  s->size = size;
  return status;
}

attcert_status subspace_grow(subspace *s, int size, const attcert_options *options, attcert_error *err) {
  fill(s, s->size, size);
  s->size = size;
  attcert_status status = orthonormalise(s, 0, size, err);
  for (int step = 0; step <= POWER_STEPS && status == ATTCERT_OK; step++) {
    if (options->progress != NULL)
      options->progress(options->progress_context, "basis of the deflation", (double)step / (POWER_STEPS + 1));
    multiply(s, 0, size);
    if (step == POWER_STEPS) break;
    double *const next = s->y;
    s->y = s->q;
    s->q = next;
    status = orthonormalise(s, 0, size, err);
  }
  return status;
}
