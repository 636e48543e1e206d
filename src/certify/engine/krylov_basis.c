#include "certify/engine/krylov_basis.h"

#include "base/arrays.h"
#include "base/minimum.h"
#include "base/progress_report.h"
#include "base/uniform.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Rows of a block. Small blocks see more of each vector's powers; BLAS wants some rows at a time. */
enum { BLOCK = 8 };

/* Of a vector's length. */
static const double PERTURBATION = 0x1p-40;

static size_t length_of(const krylov_basis *s) {
  return (size_t)s->jacobian->m->n * (size_t)s->jacobian->m->out_dim;
}

/* Vectors of this length, their images under J~^T of that one, `vectors` at a time. */
static array_table arrays_of(krylov_basis *s, size_t capacity, size_t length, size_t vectors, size_t image) {
  return (array_table){{
      ARRAY(s->q, capacity, length),
      ARRAY(s->y, capacity, length),
      ARRAY(s->image, vectors, image),
      ARRAY(s->scales, capacity),
  }};
}

uint64_t krylov_basis_bytes(const attcert_layer *layer, int n, int vectors, int capacity) {
  krylov_basis s;
  const array_table arrays = arrays_of(&s, (size_t)capacity, (size_t)n * (size_t)layer->out_dim, (size_t)vectors,
                                       (size_t)n * (size_t)layer->dim);
  return array_table_bytes(&arrays);
}

attcert_status krylov_basis_init(krylov_basis *s, const structured_jacobian *jacobian, int capacity,
                                 attcert_error *err) {
  *s = (krylov_basis){.jacobian = jacobian};
  const array_table arrays = arrays_of(s, (size_t)capacity, length_of(s), (size_t)jacobian->vectors,
                                       (size_t)jacobian->m->n * (size_t)jacobian->m->dim);
  return array_table_allocate(&arrays, err, "the Krylov basis");
}

void krylov_basis_clear(krylov_basis *s) {
  const array_table arrays = arrays_of(s, 0, 0, 0, 0);
  array_table_release(&arrays);
  *s = (krylov_basis){0};
}

static double *row_of(double *rows, const krylov_basis *s, int i) {
  return rows + (size_t)i * length_of(s);
}

/* y := q J~ J~^T in rows first to end - 1 */
static void image_of_rows(const krylov_basis *s, int first, int end) {
  const int step = s->jacobian->vectors;
  for (; first < end; first += step) {
    const int count = int_min(end - first, step);
    structured_jacobian_square(s->jacobian, row_of(s->y, s, first), s->image, row_of(s->q, s, first), count);
  }
}

/* An orthonormal basis of q's rows first to end - 1, in their place: they are the columns of a column-major matrix. */
static attcert_status orthonormalize(const krylov_basis *s, int first, int end, attcert_error *err) {
  const int length = (int)length_of(s), count = end - first;
  double *const rows = row_of(s->q, s, first);
  int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, length, count, rows, length, s->scales);
  if (info == 0) info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, length, count, count, rows, length, s->scales);
  return info == 0 ? ATTCERT_OK : array_out_of_memory(err, 0, "the QR factorisation of %d vectors", count);
}

/* Rows first to end - 1 of q: orthonormal, and orthogonal to those before them; twice, as once leaves what cancels. The
 * products go where y's rows will come. */
static attcert_status append(const krylov_basis *s, int first, int end, attcert_error *err) {
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
    status = orthonormalize(s, first, end, err);
  }
  return status;
}

/* Random vectors. */
static void fill_randomly(const krylov_basis *s, int first, int end) {
  const size_t length = length_of(s);
  for (size_t i = (size_t)first * length; i < (size_t)end * length; i++) s->q[i] = uniform_entry(i);
}

/* Rows first to end - 1 of q, to unit length and perturbed at random: where the powers of J~ J~^T add no new
 * direction, that and not the roundings of the rows before is what remains of them. */
static void perturb(const krylov_basis *s, int first, int end) {
  const size_t length = length_of(s);
  const double share = PERTURBATION / sqrt((double)length);
  for (int i = first; i < end; i++) {
    double *const row = row_of(s->q, s, i);
    const double norm = cblas_dnrm2((int)length, row, 1), scale = norm > UNDERFLOW_ALLOWANCE ? 1.0 / norm : 0.0;
    for (size_t j = 0; j < length; j++) row[j] = scale * row[j] + share * uniform_entry((size_t)i * length + j);
  }
}

attcert_status krylov_basis_extend(krylov_basis *s, int size, const attcert_options *options, attcert_error *err) {
  const int step = int_min(BLOCK, s->jacobian->vectors);
  attcert_status status = ATTCERT_OK;
  if (s->overwritten) image_of_rows(s, 0, s->size);
  s->overwritten = false;
  while (s->size < size && status == ATTCERT_OK) {
    const int first = s->size, end = int_min(first + step, size), before = first < step ? 0 : first - step;
    status = progress_report(options, "basis of the deflation", (double)first / size, err);
    if (status != ATTCERT_OK) break;
    const int kept = int_min(end - first, first - before);
    memcpy(row_of(s->q, s, first), row_of(s->y, s, before), (size_t)kept * length_of(s) * sizeof(double));
    perturb(s, first, first + kept);
    fill_randomly(s, first + kept, end);
    status = append(s, first, end, err);
    if (status == ATTCERT_OK) image_of_rows(s, first, end);
    s->size = end;
  }
  return status;
}
