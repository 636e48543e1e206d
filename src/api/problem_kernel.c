/* A problem's layer and its derivatives in plain double, by the reference kernel, or by steps. */
#include "api/problem.h"
#include "base/environment.h"

#include <string.h>

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

/* The value of steps, in double. */
static attcert_status pass_steps(double *to, const problem_view *v, attcert_error *err) {
  network_steps network;
  attcert_matrix x;
  attcert_status status = attcert_matrix_init(&x, v->x.rows, v->x.cols, err);
  if (status != ATTCERT_OK) return status;
  memcpy(x.data, v->x.data, (size_t)x.rows * (size_t)x.cols * sizeof *x.data);
  network_builder b = network_run(&network, &x, err);
  int last = 0;
  for (int s = 0; s < v->steps.count && b.status == ATTCERT_OK; s++) last = network_add(&b, v->steps.step[s]);
  status = network_run_end(&x, &b, last);
  if (status == ATTCERT_OK) memcpy(to, x.data, (size_t)x.rows * (size_t)x.cols * sizeof *to);
  attcert_matrix_clear(&x);
  return status;
}

static attcert_status evaluate(double *to, const attcert_problem *p, product what, const double *from,
                               attcert_error *err) {
  environment before;
  problem_view v = {0};
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK)
    status = what == FORWARD ? problem_view_init_steps(&v, p, err) : problem_view_init(&v, p, err);
  if (status == ATTCERT_OK) status = v.has_steps ? pass_steps(to, &v, err) : multiply(to, &v, what, from, err);
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
