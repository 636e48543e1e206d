#include "certify/jacobian/jacobian_errors.h"

#include "base/arrays.h"
#include "certify/jacobian/factored_jacobian_radius.h"
#include "certify/jacobian/structured_jacobian.h"
#include "linalg/operator/dense_matrix.h"
#include "linalg/operator/nonnegative_norm.h"
#include "linalg/rounding/rounding.h"

#include <stdlib.h>

/* A copy of count doubles in absolute value; NULL, and the message in err, when out of memory. */
static double *absolute_copy(const double *x, size_t count, attcert_error *err) {
  double *const y = array_new(count, sizeof *y, err, "a factor of the Jacobian in absolute value");
  for (size_t i = 0; y != NULL && i < count; i++) y[i] = fabs(x[i]);
  return y;
}

/* Of a product with J~ or its transpose. */
static double longest_path(const factored_jacobian *m) {
  return fmax(structured_jacobian_roundings(m, false), structured_jacobian_roundings(m, true));
}

/* *bound >= ||J^||_2^2. J^ is a product of matrices: what underflows in one of them is multiplied by the next, which
 * nonnegative_norm.h leaves to its caller. */
static attcert_status absolute_norm(double *bound, const factored_jacobian *m, attcert_error *err) {
  const size_t heads = (size_t)m->heads, n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  const size_t width = heads * k;
  factored_jacobian a = *m;
  a.w = absolute_copy(m->w, heads * n * k * n, err);
  a.g = absolute_copy(m->g, heads * n * d, err);
  a.v = absolute_copy(m->v, width * d, err);
  a.q = absolute_copy(m->q, width * d, err);
  a.covariance = absolute_copy(m->covariance, heads * n * k * k, err);
  a.output = NULL;
  a.out_dim = (int)width;
  structured_jacobian s = {0};
  const bool allocated = a.w != NULL && a.g != NULL && a.v != NULL && a.q != NULL && a.covariance != NULL;
  attcert_status status = allocated ? ATTCERT_OK : ATTCERT_RESOURCE;
  if (status == ATTCERT_OK) status = structured_jacobian_init(&s, &a, 1, err);
  if (status == ATTCERT_OK) {
    const linear_operator absolute = structured_jacobian_operator(&s);
    status = nonnegative_norm_squared(bound, &absolute, longest_path(&a), err);
    *bound = round_up_nonnegative(*bound + UNDERFLOW_ALLOWANCE, 1.0);
  }
  structured_jacobian_clear(&s);
  free(a.w);
  free(a.g);
  free(a.v);
  free(a.q);
  free(a.covariance);
  return status;
}

/* *bound >= || |W'| ||_2^2, 1 without W'. */
static attcert_status absolute_output_norm(double *bound, const factored_jacobian *m, attcert_error *err) {
  const int width = m->heads * m->head_dim;
  *bound = 1.0;
  if (m->output == NULL) return ATTCERT_OK;
  double *const absolute = absolute_copy(m->output, (size_t)m->out_dim * (size_t)width, err);
  if (absolute == NULL) return ATTCERT_RESOURCE;
  const dense_matrix matrix = {absolute, m->out_dim, width};
  const linear_operator op = dense_matrix_operator(&matrix);
  const attcert_status status = nonnegative_norm_squared(bound, &op, (double)(m->out_dim + width), err);
  free(absolute);
  return status;
}

attcert_status jacobian_errors_of(jacobian_errors *e, const factored_jacobian *m, attcert_error *err) {
  double output = INFINITY;
  *e = (jacobian_errors){INFINITY, INFINITY, INFINITY, INFINITY};
  attcert_status status = factored_jacobian_radius(&e->radius, m, err);
  if (status == ATTCERT_OK) status = absolute_norm(&e->absolute, m, err);
  if (status == ATTCERT_OK) status = absolute_output_norm(&output, m, err);
  const double both = structured_jacobian_roundings(m, false) + structured_jacobian_roundings(m, true);
  const double squared = output * e->absolute;
  e->product = round_up_nonnegative(gamma_upper(longest_path(m)) * sqrt(squared), 4.0) + UNDERFLOW_ALLOWANCE;
  e->gram = round_up_nonnegative(gamma_upper(both) * squared, 4.0) + UNDERFLOW_ALLOWANCE;
  return status;
}
