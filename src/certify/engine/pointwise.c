#include "certify/engine/pointwise.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "base/progress_report.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"
#include "linalg/eigenvalue/largest_eigenvalue.h"
#include "linalg/norm/matrix_norm.h"
#include "linalg/operator/dense_matrix.h"
#include "linalg/operator/lanczos.h"
#include "linalg/rounding/binary_exponent.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  const layer_enclosure *e;
  const factored_jacobian *m;
  double *vv, *vv_norm2; /* [H][k][k]: V' V'^T; [H]: ||V'||_F^2 rounded up */
  double *qq, *q_norm2;  /* the same for Q' */
  mpfr_t *alpha2, *beta; /* [H][n], in units of J', rounded up */
  atomic_bool failed;    /* out of memory */
} pointwise;

/* One token's scratch. */
typedef struct {
  double *z, *gram, *product, *vector; /* k x n, k x k, k x k, k */
  interval *rows;                      /* [n][k]: sqrt(P_ij) (v_j - y_i) ||g_i|| */
  interval_scratch ws;
} scratch;

static array_table scratch_arrays_of(scratch *s, size_t n, size_t k) {
  return (array_table){{
      ARRAY(s->z, k, n),
      ARRAY(s->gram, k, k),
      ARRAY(s->product, k, k),
      ARRAY(s->vector, k),
  }};
}

static bool scratch_init(scratch *s, const pointwise *t) {
  const size_t n = (size_t)t->m->n, k = (size_t)t->m->head_dim;
  *s = (scratch){.rows = interval_vec_new(n * k, t->e->precision)};
  interval_scratch_init(&s->ws, t->e->precision);
  const array_table arrays = scratch_arrays_of(s, n, k);
  return array_table_allocate(&arrays, NULL, "a token of the pointwise bound") == ATTCERT_OK && s->rows != NULL;
}

static void scratch_clear(scratch *s) {
  const array_table arrays = scratch_arrays_of(s, 0, 0);
  array_table_release(&arrays);
  interval_vec_free(s->rows);
  interval_scratch_clear(&s->ws);
}

/* upper >= ||A||_2 for every A with ||A - A~||_2 <= radius, where the scratch's gram (destroyed) is within `error` of
 * A~ A~^T. */
static attcert_status norm_from_gram(mpfr_t upper, scratch *s, int k, double error, double radius) {
  const dense_matrix gram = {s->gram, k, k};
  const linear_operator op = dense_matrix_operator(&gram);
  double top = 0.0;
  attcert_status status = lanczos_top(s->vector, &top, &op, NULL, NULL);
  if (status == ATTCERT_OK) status = largest_eigenvalue_upper(upper, s->gram, k, top, NULL, NULL);
  mpfr_add_d(upper, upper, error, MPFR_RNDU);
  mpfr_sqrt(upper, upper, MPFR_RNDU);
  mpfr_add_d(upper, upper, radius, MPFR_RNDU);
  return status;
}

/* rows[j k + r] := sqrt(P_ij) (v_j - y_i)_r ||g_i||, unscaled but for 2^-shift; returns the largest exponent. */
static long weighted_rows(scratch *s, const pointwise *t, int h, int i) {
  const layer_enclosure *const e = t->e;
  const factored_jacobian *const m = t->m;
  const size_t k = (size_t)m->head_dim, d = (size_t)m->dim, at = factored_jacobian_token(m, h, i);
  const double g = round_up_nonnegative(norm_upper(m->g + at * d, d) + m->g_radius[at], 1.0);
  const interval *const p = e->p + layer_enclosure_row(e, h, i);
  interval weight, length;
  interval_init(&weight, e->precision);
  interval_init(&length, e->precision);
  interval_set_d(&length, g);
  long exponent = EXPONENT_OF_ZERO;
  for (int j = 0; j < attended_keys(e->mask, i, e->n); j++) {
    interval_sqrt(&weight, &p[j]);
    interval_mul(&weight, &weight, &length, &s->ws);
    for (size_t r = 0; r < k; r++) {
      interval *const x = &s->rows[(size_t)j * k + r];
      layer_enclosure_deviation(x, e, h, i, j, r);
      interval_mul(x, x, &weight, &s->ws);
      interval_scale_2exp(x, x, m->scale[at] - m->shift[(size_t)h * k + r]);
      exponent = exponent_max(exponent, exponent_of_interval(x));
    }
  }
  interval_clear(&length);
  interval_clear(&weight);
  return exponent;
}

/* alpha^2 = || [V' Z] ||^2 with Z's columns the weighted rows, everything divided by 2^extra so that no entry exceeds
 * 1: the Gram matrix by GEMM is off by gamma_{d+n+2} (||V'||_F^2 + ||Z||_F^2) at most. */
static attcert_status alpha_squared(mpfr_t alpha2, scratch *s, const pointwise *t, int h, int i) {
  const factored_jacobian *const m = t->m;
  const int n = m->n, k = m->head_dim, attended = attended_keys(t->e->mask, i, t->e->n);
  const size_t side = (size_t)k;
  const long top = weighted_rows(s, t, h, i), extra = top > 0 ? top : 0;
  double squares = 0.0, z_norm2 = 0.0;
  for (size_t r = 0; r < side; r++) {
    for (size_t j = 0; j < (size_t)attended; j++) {
      double radius, *const z = &s->z[r * (size_t)n + j];
      interval *const x = &s->rows[j * side + r];
      interval_scale_2exp(x, x, -extra);
      interval_get_midrad(z, &radius, x, &s->ws);
      squares += radius * radius;
      z_norm2 += *z * *z;
    }
  }
  const double scale = scale_double(1.0, -2 * extra), count = (double)k * (double)n;
  for (size_t c = 0; c < side * side; c++) s->gram[c] = scale * t->vv[(size_t)h * side * side + c];
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, k, k, attended, 1.0, s->z, n, s->z, n, 1.0, s->gram, k);
  const double norm2 = round_up_nonnegative(scale * t->vv_norm2[h] + round_up_nonnegative(z_norm2, count + 1.0), 2.0);
  const double error = round_up_nonnegative(gamma_upper(m->dim + n + 2.0) * norm2, 1.0) + UNDERFLOW_ALLOWANCE;
  const double radius =
      round_up_nonnegative(sqrt(round_up_nonnegative(squares, count + 1.0)), 1.0) + UNDERFLOW_ALLOWANCE;
  const attcert_status status = norm_from_gram(alpha2, s, k, error, radius);
  mpfr_sqr(alpha2, alpha2, MPFR_RNDU);
  mpfr_mul_2si(alpha2, alpha2, 2 * extra, MPFR_RNDU);
  return status;
}

/* beta = ||F||_2: fl(C~ fl(fl(Q' Q'^T) C~^T)) is off from F~ F~^T by gamma_{d+2k} ||C~||_F^2 ||Q'||_F^2 at most. */
static attcert_status diagonal_norm(mpfr_t beta, scratch *s, const pointwise *t, int h, int i) {
  const factored_jacobian *const m = t->m;
  const int k = m->head_dim, d = m->dim;
  const size_t at = factored_jacobian_token(m, h, i), count = (size_t)k * (size_t)k;
  const double *const c = m->covariance + at * count;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, k, k, k, 1.0, t->qq + (size_t)h * count, k, c, k, 0.0,
              s->product, k);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, k, k, k, 1.0, c, k, s->product, k, 0.0, s->gram, k);
  const double norm = norm_upper(c, count);
  const double error = round_up_nonnegative(gamma_upper(d + 2.0 * k) * norm * norm * t->q_norm2[h], 3.0);
  return norm_from_gram(beta, s, k, error + UNDERFLOW_ALLOWANCE, m->f_radius[at]);
}

static void bound_token(void *context, int index) {
  pointwise *const t = context;
  const int h = index / t->m->n, i = index % t->m->n;
  scratch s;
  if (!scratch_init(&s, t) || alpha_squared(t->alpha2[index], &s, t, h, i) != ATTCERT_OK ||
      diagonal_norm(t->beta[index], &s, t, h, i) != ATTCERT_OK)
    atomic_store(&t->failed, true);
  scratch_clear(&s);
}

/* A A^T and ||A||_F^2, rounded up, of every head's k x d matrix. */
static void weight_grams(double *gram, double *norm2, const double *weights, const factored_jacobian *m) {
  const size_t k = (size_t)m->head_dim, d = (size_t)m->dim;
  for (size_t h = 0; h < (size_t)m->heads; h++) {
    const double *const a = weights + h * k * d;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)k, (int)k, (int)d, 1.0, a, (int)d, a, (int)d, 0.0,
                gram + h * k * k, (int)k);
    const double norm = norm_upper(a, k * d);
    norm2[h] = round_up_nonnegative(norm * norm, 1.0);
  }
}

/* total += B_h^2, B_h = sqrt(max_j sum_i P_ij alpha_i^2) + max_i beta_i. */
static void add_head(mpfr_t total, const pointwise *t, int h) {
  const int n = t->m->n;
  mpfr_t column, largest, term, beta;
  mpfr_inits2(64, column, largest, term, beta, (mpfr_ptr)0);
  mpfr_set_zero(largest, 1);
  mpfr_set_zero(beta, 1);
  for (int j = 0; j < n; j++) {
    mpfr_set_zero(column, 1);
    for (int i = 0; i < n; i++) {
      if (j >= attended_keys(t->e->mask, i, t->e->n)) continue;
      mpfr_mul(term, t->e->p[layer_enclosure_row(t->e, h, i) + (size_t)j].hi, t->alpha2[h * n + i], MPFR_RNDU);
      mpfr_add(column, column, term, MPFR_RNDU);
    }
    mpfr_max(largest, largest, column, MPFR_RNDU);
    mpfr_max(beta, beta, t->beta[h * n + j], MPFR_RNDU);
  }
  mpfr_sqrt(largest, largest, MPFR_RNDU);
  mpfr_add(largest, largest, beta, MPFR_RNDU);
  mpfr_sqr(largest, largest, MPFR_RNDU);
  mpfr_add(total, total, largest, MPFR_RNDU);
  mpfr_clears(column, largest, term, beta, (mpfr_ptr)0);
}

static attcert_status combine_heads(mpfr_t upper, const pointwise *t, attcert_error *err) {
  const factored_jacobian *const m = t->m;
  mpfr_t total, lo, hi;
  mpfr_inits2(64, total, lo, hi, (mpfr_ptr)0);
  mpfr_set_zero(total, 1);
  for (int h = 0; h < m->heads; h++) add_head(total, t, h);
  mpfr_sqrt(total, total, MPFR_RNDU);
  attcert_status status = ATTCERT_OK;
  if (m->output != NULL) {
    status = matrix_norm(lo, hi, m->output, m->out_dim, m->heads * m->head_dim, UNDERFLOW_ALLOWANCE, err);
    mpfr_mul(total, total, hi, MPFR_RNDU);
  }
  mpfr_mul_2si(upper, total, m->exponent, MPFR_RNDU);
  mpfr_clears(total, lo, hi, (mpfr_ptr)0);
  return status;
}

static mpfr_t *bounds_new(size_t count) {
  mpfr_t *const x = malloc(count * sizeof(mpfr_t));
  for (size_t i = 0; x != NULL && i < count; i++) mpfr_init2(x[i], 64);
  return x;
}

static void bounds_free(mpfr_t *x, size_t count) {
  for (size_t i = 0; x != NULL && i < count; i++) mpfr_clear(x[i]);
  free(x);
}

static array_table arrays_of(pointwise *t, size_t heads, size_t k) {
  return (array_table){{
      ARRAY(t->vv, heads, k, k),
      ARRAY(t->vv_norm2, heads),
      ARRAY(t->qq, heads, k, k),
      ARRAY(t->q_norm2, heads),
  }};
}

/* Of a token's scratch and the whole matrices, without the bounds. */
static uint64_t bytes_of(const array_table *arrays, const layer_enclosure *e) {
  scratch s;
  const size_t n = (size_t)e->n, k = (size_t)e->head_dim;
  const array_table token = scratch_arrays_of(&s, n, k);
  return array_table_bytes(arrays) + array_table_bytes(&token) + interval_vec_bytes(n * k, e->precision);
}

attcert_status pointwise_upper(mpfr_t upper, const attcert_layer *layer, const layer_enclosure *e,
                               const factored_jacobian *m, const attcert_options *options, attcert_error *err) {
  attcert_status status = progress_report(options, "pointwise bound", 0.0, err);
  if (status != ATTCERT_OK) return status;
  const size_t heads = (size_t)m->heads, k = (size_t)m->head_dim, tokens = heads * (size_t)m->n;
  pointwise t = {.e = e, .m = m, .alpha2 = bounds_new(tokens), .beta = bounds_new(tokens)};
  const array_table arrays = arrays_of(&t, heads, k);
  const bool allocated = array_table_allocate(&arrays, NULL, "the pointwise bound") == ATTCERT_OK;
  atomic_init(&t.failed, !allocated || t.alpha2 == NULL || t.beta == NULL);
  mpfr_set_inf(upper, 1);
  if (!atomic_load(&t.failed)) {
    weight_grams(t.vv, t.vv_norm2, m->v, m);
    weight_grams(t.qq, t.q_norm2, m->q, m);
    parallel_for((int)tokens, parallel_threads(options->threads), bound_token, &t);
  }
  if (atomic_load(&t.failed))
    status = array_out_of_memory(err, bytes_of(&arrays, e), "the pointwise bound of %d tokens, %d heads", m->n,
                                 layer->heads);
  else
    status = combine_heads(upper, &t, err);
  array_table_release(&arrays);
  bounds_free(t.alpha2, tokens);
  bounds_free(t.beta, tokens);
  return status;
}

attcert_status pointwise_bound(certify_run *r, double width) {
  (void)width; /* one formula, as sharp as it is */
  mpfr_t upper;
  mpfr_init2(upper, 64);
  const attcert_status status = pointwise_upper(upper, r->layer, &r->e, &r->m, r->options, r->err);
  if (status == ATTCERT_OK) certify_run_improve_upper(r, upper, ATTCERT_ENGINE_POINTWISE);
  mpfr_clear(upper);
  return status;
}
