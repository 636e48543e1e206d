/* attcert_layer_forward, _jvp, _vjp and _jacobian: the reference kernel for callers of attcert.h. What the kernel's
 * contracts ask of a caller is checked or allocated here: sides, finite numbers, storage and scratch. */
#include "attcert.h"
#include "base/arrays.h"
#include "base/environment.h"
#include "kernel/layer/attention.h"

#include <math.h>
#include <stdlib.h>

static attcert_status check_shape(const attcert_matrix *m, int rows, int cols, const char *name, attcert_error *err) {
  if (m == NULL || m->data == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s is NULL, expected a %d x %d matrix", name, rows, cols);
  if (m->rows == rows && m->cols == cols) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s is %d x %d, expected %d x %d", name, m->rows, m->cols, rows, cols);
}

/* A direction or a cotangent. */
static attcert_status check_vector(const attcert_matrix *m, int rows, int cols, const char *name, attcert_error *err) {
  const attcert_status status = check_shape(m, rows, cols, name, err);
  const size_t count = status == ATTCERT_OK ? (size_t)rows * (size_t)cols : 0;
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(m->data[i]))
      return attcert_fail(err, ATTCERT_INPUT, "%s: entry [%zu, %zu] is %g, expected a finite number", name,
                          i / (size_t)cols, i % (size_t)cols, m->data[i]);
  }
  return status;
}

/* NULL, and the error says so, when memory runs out. */
static double *scratch_new(size_t count, const attcert_layer *layer, int n, attcert_error *err) {
  return array_new(count, sizeof(double), err, "attention of %d heads on %d tokens", layer->heads, n);
}

static attcert_status forward(attcert_matrix *y, const attcert_layer *layer, const attcert_matrix *x,
                              attcert_error *err) {
  attcert_status status = attcert_layer_check(layer, x, err);
  if (status == ATTCERT_OK) status = check_shape(y, x->rows, layer->out_dim, "y", err);
  if (status != ATTCERT_OK) return status;
  double *const scratch = scratch_new(attention_forward_scratch(layer, x->rows), layer, x->rows, err);
  if (scratch == NULL) return ATTCERT_RESOURCE;
  attention_forward(y->data, layer, x->data, x->rows, scratch);
  free(scratch);
  return ATTCERT_OK;
}

/* ---- derivatives ----------------------------------------------------------------------------------------------- */

/* The layer evaluated at x, and scratch for what is asked of it. */
typedef struct {
  attention_state state;
  double *scratch;
} evaluation;

static void evaluation_clear(evaluation *e) {
  free(e->state.storage);
  free(e->scratch);
}

static attcert_status evaluation_init(evaluation *e, const attcert_layer *layer, const attcert_matrix *x,
                                      size_t scratch_size(const attention_state *), attcert_error *err) {
  const int n = x->rows;
  *e = (evaluation){.state = {.layer = layer, .n = n}};
  e->state.storage = scratch_new(attention_state_size(layer, n), layer, n, err);
  if (e->state.storage != NULL) e->scratch = scratch_new(scratch_size(&e->state), layer, n, err);
  if (e->scratch == NULL) {
    evaluation_clear(e);
    return ATTCERT_RESOURCE;
  }
  attention_state_init(&e->state, layer, x->data, n, e->state.storage);
  return ATTCERT_OK;
}

static attcert_status jvp(attcert_matrix *dy, const attcert_layer *layer, const attcert_matrix *x,
                          const attcert_matrix *dx, attcert_error *err) {
  evaluation e;
  attcert_status status = attcert_layer_check(layer, x, err);
  if (status == ATTCERT_OK) status = check_vector(dx, x->rows, layer->dim, "dx", err);
  if (status == ATTCERT_OK) status = check_shape(dy, x->rows, layer->out_dim, "dy", err);
  if (status == ATTCERT_OK) status = evaluation_init(&e, layer, x, attention_product_scratch, err);
  if (status != ATTCERT_OK) return status;
  attention_jvp(dy->data, &e.state, dx->data, e.scratch);
  evaluation_clear(&e);
  return ATTCERT_OK;
}

static attcert_status vjp(attcert_matrix *dx, const attcert_layer *layer, const attcert_matrix *x,
                          const attcert_matrix *dy, attcert_error *err) {
  evaluation e;
  attcert_status status = attcert_layer_check(layer, x, err);
  if (status == ATTCERT_OK) status = check_vector(dy, x->rows, layer->out_dim, "dy", err);
  if (status == ATTCERT_OK) status = check_shape(dx, x->rows, layer->dim, "dx", err);
  if (status == ATTCERT_OK) status = evaluation_init(&e, layer, x, attention_product_scratch, err);
  if (status != ATTCERT_OK) return status;
  attention_vjp(dx->data, &e.state, dy->data, e.scratch);
  evaluation_clear(&e);
  return ATTCERT_OK;
}

/* The sides of J are ints, since those of the layer are at most 2^15. */
static attcert_status jacobian(attcert_matrix *jacobian, const attcert_layer *layer, const attcert_matrix *x,
                               attcert_error *err) {
  evaluation e;
  attcert_status status = attcert_layer_check(layer, x, err);
  if (status == ATTCERT_OK)
    status = check_shape(jacobian, x->rows * layer->out_dim, x->rows * layer->dim, "the Jacobian", err);
  if (status == ATTCERT_OK) status = evaluation_init(&e, layer, x, attention_jacobian_scratch, err);
  if (status != ATTCERT_OK) return status;
  attention_jacobian(jacobian->data, &e.state, e.scratch);
  evaluation_clear(&e);
  return ATTCERT_OK;
}

/* ---- in the default environment ---------------------------------------------------------------------------------- */

attcert_status attcert_layer_forward(attcert_matrix *y, const attcert_layer *layer, const attcert_matrix *x,
                                     attcert_error *err) {
  environment before;
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK) status = forward(y, layer, x, err);
  return environment_leave(&before, status);
}

attcert_status attcert_layer_jvp(attcert_matrix *dy, const attcert_layer *layer, const attcert_matrix *x,
                                 const attcert_matrix *dx, attcert_error *err) {
  environment before;
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK) status = jvp(dy, layer, x, dx, err);
  return environment_leave(&before, status);
}

attcert_status attcert_layer_vjp(attcert_matrix *dx, const attcert_layer *layer, const attcert_matrix *x,
                                 const attcert_matrix *dy, attcert_error *err) {
  environment before;
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK) status = vjp(dx, layer, x, dy, err);
  return environment_leave(&before, status);
}

attcert_status attcert_layer_jacobian(attcert_matrix *j, const attcert_layer *layer, const attcert_matrix *x,
                                      attcert_error *err) {
  environment before;
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK) status = jacobian(j, layer, x, err);
  return environment_leave(&before, status);
}
