/* A problem's layer and its derivatives in plain double, by the reference kernel. */
#include "api/problem.h"
#include "base/environment.h"

typedef enum { FORWARD, JACOBIAN, JVP, VJP } product;

/* What is asked of attcert.h's functions on structs: y is n x out_dim, dx is n x d. */
static attcert_status multiply(double *to, const problem_view *v, product what, const double *from,
                               attcert_error *err) {
  const int n = v->x.rows, in = v->layer.dim, out = v->layer.out_dim;
  attcert_matrix result = {n, what == VJP ? in : out, to}, jacobian = {n * out, n * in, to};
  const attcert_matrix direction = {n, what == VJP ? out : in, (double *)from};
  switch (what) {
  case FORWARD:
    return attcert_layer_forward(&result, &v->layer, &v->x, err);
  case JVP:
    return attcert_layer_jvp(&result, &v->layer, &v->x, &direction, err);
  case VJP:
    return attcert_layer_vjp(&result, &v->layer, &v->x, &direction, err);
  default:
    return attcert_layer_jacobian(&jacobian, &v->layer, &v->x, err);
  }
}

static attcert_status evaluate(double *to, const attcert_problem *p, product what, const double *from,
                               attcert_error *err) {
  environment before;
  problem_view v = {0};
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK) status = problem_view_init(&v, p, err);
  if (status == ATTCERT_OK) status = multiply(to, &v, what, from, err);
  problem_view_clear(&v);
  return environment_leave(&before, status);
}

attcert_status attcert_problem_forward(double *y, const attcert_problem *p, attcert_error *err) {
  return evaluate(y, p, FORWARD, NULL, err);
}

attcert_status attcert_problem_jacobian(double *jacobian, const attcert_problem *p, attcert_error *err) {
  return evaluate(jacobian, p, JACOBIAN, NULL, err);
}

attcert_status attcert_problem_jvp(double *dy, const attcert_problem *p, const double *dx, attcert_error *err) {
  return evaluate(dy, p, JVP, dx, err);
}

attcert_status attcert_problem_vjp(double *dx, const attcert_problem *p, const double *dy, attcert_error *err) {
  return evaluate(dx, p, VJP, dy, err);
}
