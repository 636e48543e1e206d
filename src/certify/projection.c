#include "certify/projection.h"

#include "certify/parallel.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"

#include <stdatomic.h>

typedef struct {
  interval *out;
  const double *weight, *bias;
  const point *x;
  const projection_shape *shape;
  atomic_bool failed; /* out of memory */
} projection;

/* Row `index` of the weight applied to every token. */
static void project_row(void *context, int index) {
  projection *const p = context;
  const projection_shape *const s = p->shape;
  const size_t dim = (size_t)s->dim, n = (size_t)s->n, k = (size_t)s->head_dim;
  const size_t h = (size_t)index / k, r = (size_t)index % k;
  point *const row = point_vec_new(dim, s->precision);
  if (row == NULL) {
    atomic_store(&p->failed, true);
    return;
  }
  interval_scratch ws;
  interval bias;
  interval_scratch_init(&ws, s->precision);
  interval_init(&bias, s->precision);
  point_vec_set_d(row, p->weight + (size_t)index * dim, dim);
  if (p->bias != NULL) interval_set_d(&bias, p->bias[index]);
  for (size_t i = 0; i < n; i++) {
    interval *const y = p->out + (h * n + i) * k + r;
    interval_dot_points(y, row, p->x + i * dim, dim, &ws);
    if (p->bias != NULL) interval_add(y, y, &bias);
  }
  interval_clear(&bias);
  interval_scratch_clear(&ws);
  point_vec_free(row);
}

attcert_status project(interval *out, const double *weight, const double *bias, const point *x,
                       const projection_shape *shape, attcert_error *err) {
  projection p = {.out = out, .weight = weight, .bias = bias, .x = x, .shape = shape};
  atomic_init(&p.failed, false);
  parallel_for(shape->heads * shape->head_dim, shape->threads, project_row, &p);
  if (!atomic_load(&p.failed)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a weight row of %d numbers at %ld bits", shape->dim,
                      (long)shape->precision);
}
