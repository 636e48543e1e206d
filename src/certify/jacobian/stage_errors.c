#include "certify/jacobian/stage_errors.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "certify/jacobian/factored_jacobian_radius.h"
#include "certify/jacobian/structured_jacobian.h"
#include "linalg/norm/gram_norm.h"
#include "linalg/rounding/frobenius_norm.h"
#include "linalg/rounding/rounding.h"

#include <stdlib.h>

/* Upper bounds of a matrix's norms. */
typedef struct {
  double spectral, frobenius;
} matrix_norms;

static attcert_status norms_of(matrix_norms *norms, const double *a, int rows, int columns, attcert_error *err) {
  norms->frobenius = frobenius_norm_upper(a, (size_t)rows * (size_t)columns, (size_t)columns);
  return gram_norm_upper(&norms->spectral, a, rows, columns, 0.0, err);
}

/* The larger one, and NaN where one is. */
static double larger(double a, double b) {
  return b > a || isnan(b) ? b : a;
}

/* What tokens make of their factors: ||w_i||_F ||g_i|| and ||C_i||_F of all heads, [H n] each. */
typedef struct {
  const factored_jacobian *m;
  double *scores, *covariances;
} token_norms;

static void find_token_norms(void *context, int at) {
  token_norms *const t = context;
  const factored_jacobian *const m = t->m;
  const size_t token = (size_t)at, n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  const double w = frobenius_norm_upper(m->w + token * k * n, k * n, n), g = norm_upper(m->g + token * d, d);
  t->scores[token] = round_up_nonnegative(w * g, 1.0) + UNDERFLOW_ALLOWANCE;
  t->covariances[token] = norm_upper(m->covariance + token * k * k, k * k);
}

/* >= ||P||_2: the root of the largest row sum times the largest column sum. */
static double attention_norm(const double *p, size_t n) {
  double row = 0.0, column = 0.0;
  for (size_t i = 0; i < n; i++) {
    double in_row = 0.0, in_column = 0.0;
    for (size_t l = 0; l < n; l++) {
      in_row += p[i * n + l];
      in_column += p[l * n + i];
    }
    row = larger(row, in_row);
    column = larger(column, in_column);
  }
  return round_up_nonnegative(sqrt(round_up_nonnegative(row * column, 2.0 * (double)n)), 1.0);
}

/* sigma and phi. */
typedef struct {
  double sigma, phi;
} head_sizes;

static attcert_status head_sizes_of(head_sizes *s, const token_norms *t, int h, attcert_error *err) {
  const factored_jacobian *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim, first = factored_jacobian_token(m, h, 0);
  matrix_norms v, q;
  attcert_status status = norms_of(&v, m->v + (size_t)h * k * d, m->head_dim, m->dim, err);
  if (status == ATTCERT_OK) status = norms_of(&q, m->q + (size_t)h * k * d, m->head_dim, m->dim, err);
  const double rho = attention_norm(m->p + first * n, n), omega = norm_upper(t->scores + first, n);
  double c = 0.0;
  for (size_t i = 0; i < n; i++) c = larger(c, t->covariances[first + i]);
  s->sigma = round_up_nonnegative(rho * v.spectral + omega + c * q.spectral, 4.0) + UNDERFLOW_ALLOWANCE;
  s->phi = round_up_nonnegative(rho * v.frobenius + omega + c * q.frobenius, 4.0) + UNDERFLOW_ALLOWANCE;
  return status;
}

/* Of all heads: the roots of sums of squares. */
static attcert_status sizes_of(head_sizes *s, const token_norms *t, attcert_error *err) {
  const int heads = t->m->heads;
  double sigma = 0.0, phi = 0.0;
  for (int h = 0; h < heads; h++) {
    head_sizes head;
    const attcert_status status = head_sizes_of(&head, t, h, err);
    if (status != ATTCERT_OK) return status;
    sigma += head.sigma * head.sigma;
    phi += head.phi * head.phi;
  }
  s->sigma = round_up_nonnegative(sqrt(round_up_nonnegative(sigma, heads + 1.0)), 1.0);
  s->phi = round_up_nonnegative(sqrt(round_up_nonnegative(phi, heads + 1.0)), 1.0);
  return ATTCERT_OK;
}

typedef struct {
  double gamma[3];
} stage_gammas;

static stage_gammas gammas_of(const factored_jacobian *m, bool transpose) {
  const structured_path path = structured_jacobian_path(m, transpose);
  return (stage_gammas){{gamma_upper(path.stage[0]), gamma_upper(path.stage[1]), gamma_upper(path.stage[2])}};
}

enum { ROUNDINGS = 16 }; /* more than an expression below has */

static double forward_error(const factored_jacobian *m, head_sizes s, matrix_norms output) {
  const stage_gammas p = gammas_of(m, false);
  const double projected = p.gamma[0] * s.phi, epsilon = projected + p.gamma[1] * (s.sigma + projected);
  const double error =
      m->output != NULL ? output.spectral * epsilon + p.gamma[2] * output.frobenius * (s.sigma + epsilon) : epsilon;
  return round_up_nonnegative(error, ROUNDINGS) + UNDERFLOW_ALLOWANCE;
}

static double transposed_error(const factored_jacobian *m, head_sizes s, matrix_norms output) {
  const stage_gammas q = gammas_of(m, true);
  const double first = m->output != NULL ? q.gamma[0] * output.frobenius : 0.0, theta = output.spectral + first;
  const double error = s.sigma * first + theta * (q.gamma[1] * s.sigma + q.gamma[2] * (1.0 + q.gamma[1]) * s.phi);
  return round_up_nonnegative(error, ROUNDINGS) + UNDERFLOW_ALLOWANCE;
}

static attcert_status combine(jacobian_errors *errors, const token_norms *t, attcert_error *err) {
  const factored_jacobian *const m = t->m;
  matrix_norms output = {1.0, 1.0};
  head_sizes s;
  attcert_status status = sizes_of(&s, t, err);
  if (status == ATTCERT_OK && m->output != NULL)
    status = norms_of(&output, m->output, m->out_dim, m->heads * m->head_dim, err);
  if (status != ATTCERT_OK) return status;
  const double e = forward_error(m, s, output), f = transposed_error(m, s, output), norm = output.spectral * s.sigma;
  errors->product = larger(e, f);
  errors->gram = round_up_nonnegative(e * (norm + f) + norm * f, 5.0) + UNDERFLOW_ALLOWANCE;
  return ATTCERT_OK;
}

attcert_status stage_errors_of(jacobian_errors *errors, const factored_jacobian *m, int threads, attcert_error *err) {
  const size_t tokens = (size_t)m->heads * (size_t)m->n;
  token_norms t = {.m = m};
  const array_table arrays = {{ARRAY(t.scores, tokens), ARRAY(t.covariances, tokens)}};
  *errors = (jacobian_errors){INFINITY, INFINITY, INFINITY, INFINITY};
  attcert_status status = factored_jacobian_radius(&errors->radius, m, err);
  if (status == ATTCERT_OK) status = array_table_allocate(&arrays, err, "norms of %zu tokens", tokens);
  if (status == ATTCERT_OK) {
    parallel_for(m->heads * m->n, threads, find_token_norms, &t);
    status = combine(errors, &t, err);
  }
  array_table_release(&arrays);
  return status;
}
