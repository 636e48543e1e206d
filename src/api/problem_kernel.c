/* A problem's layer and its derivatives in plain double, by the reference kernel. */
#include "api/problem.h"
#include "base/environment.h"

/* What is asked of attcert.h's functions on structs: y is n x out_dim, dx is n x d. */
typedef attcert_status (*product)(attcert_matrix *, const attcert_layer *, const attcert_matrix *,
                                  const attcert_matrix *, attcert_error *);

static attcert_matrix output_of(const problem_view *v, const double *data) {
  return (attcert_matrix){v->x.rows, v->layer.out_dim, (double *)data};
}

static attcert_matrix input_of(const problem_view *v, const double *data) {
  return (attcert_matrix){v->x.rows, v->layer.dim, (double *)data};
}

static attcert_status forward(double *y, const attcert_problem *p, attcert_error *err) {
  problem_view v;
  attcert_status status = problem_view_init(&v, p, err);
  attcert_matrix out = output_of(&v, y);
  if (status == ATTCERT_OK) status = attcert_layer_forward(&out, &v.layer, &v.x, err);
  problem_view_clear(&v);
  return status;
}

static attcert_status multiply(double *result, const attcert_problem *p, const double *u, bool transposed,
                               attcert_error *err) {
  problem_view v;
  attcert_status status = problem_view_init(&v, p, err);
  attcert_matrix to = transposed ? input_of(&v, result) : output_of(&v, result);
  const attcert_matrix from = transposed ? output_of(&v, u) : input_of(&v, u);
  const product multiplied = transposed ? attcert_layer_vjp : attcert_layer_jvp;
  if (status == ATTCERT_OK) status = multiplied(&to, &v.layer, &v.x, &from, err);
  problem_view_clear(&v);
  return status;
}

static attcert_status jacobian_of(double *jacobian, const attcert_problem *p, attcert_error *err) {
  problem_view v;
  attcert_status status = problem_view_init(&v, p, err);
  attcert_matrix j = {v.x.rows * v.layer.out_dim, v.x.rows * v.layer.dim, jacobian};
  if (status == ATTCERT_OK) status = attcert_layer_jacobian(&j, &v.layer, &v.x, err);
  problem_view_clear(&v);
  return status;
}

/* ---- in the default environment ---------------------------------------------------------------------------------- */

attcert_status attcert_problem_forward(double *y, const attcert_problem *p, attcert_error *err) {
  environment before;
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK) status = forward(y, p, err);
  return environment_leave(&before, status);
}

attcert_status attcert_problem_jacobian(double *jacobian, const attcert_problem *p, attcert_error *err) {
  environment before;
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK) status = jacobian_of(jacobian, p, err);
  return environment_leave(&before, status);
}

attcert_status attcert_problem_jvp(double *dy, const attcert_problem *p, const double *dx, attcert_error *err) {
  environment before;
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK) status = multiply(dy, p, dx, false, err);
  return environment_leave(&before, status);
}

attcert_status attcert_problem_vjp(double *dx, const attcert_problem *p, const double *dy, attcert_error *err) {
  environment before;
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK) status = multiply(dx, p, dy, true, err);
  return environment_leave(&before, status);
}
