#include "certify/subspace.h"

#include "certify/uniform.h"

#include <lapacke.h>
#include <stdlib.h>

enum { POWER_STEPS = 2 };

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

/* y := q J~ J~^T */
static void multiply(const subspace *s) {
  const size_t length = length_of(s);
  const int step = s->jacobian->vectors;
  for (int first = 0; first < s->size; first += step) {
    const int count = s->size - first < step ? s->size - first : step;
    structured_jacobian_multiply(s->jacobian, s->image, s->q + (size_t)first * length, count, true);
    structured_jacobian_multiply(s->jacobian, s->y + (size_t)first * length, s->image, count, false);
  }
}

/* An orthonormal basis of q's rows, in their place: they are the columns of a column-major matrix. */
static attcert_status orthonormalise(const subspace *s, attcert_error *err) {
  const int length = (int)length_of(s);
  int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, length, s->size, s->q, length, s->scales);
  if (info == 0) info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, length, s->size, s->size, s->q, length, s->scales);
  return info == 0 ? ATTCERT_OK
                   : attcert_fail(err, ATTCERT_RESOURCE, "out of memory: factorising a basis of %d vectors", s->size);
}

attcert_status subspace_grow(subspace *s, int size, const attcert_options *options, attcert_error *err) {
  const size_t length = length_of(s);
  for (size_t i = (size_t)s->size * length; i < (size_t)size * length; i++) s->q[i] = uniform_entry(i);
  s->size = size;
  attcert_status status = orthonormalise(s, err);
  for (int step = 0; step <= POWER_STEPS && status == ATTCERT_OK; step++) {
    if (options->progress != NULL)
      options->progress(options->progress_context, "basis of the deflation", (double)step / (POWER_STEPS + 1));
    multiply(s);
    if (step == POWER_STEPS) break;
    double *const next = s->y;
    s->y = s->q;
    s->q = next;
    status = orthonormalise(s, err);
  }
  return status;
}
