#include "linalg/eigenvalue/deflation.h"

#include "base/arrays.h"
#include "linalg/eigenvalue/largest_eigenvalue.h"
#include "linalg/operator/dense_matrix.h"
#include "linalg/operator/lanczos.h"
#include "linalg/rounding/frobenius_norm.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024, SEARCH_STEPS = 60 };

/* Matrices are named as in the header; norms are Frobenius norms, rounded up. */
typedef struct {
  const gram_facts *facts;
  const double *q;
  double *y; /* Y^, then U */
  int s;
  size_t length;              /* N */
  double *b, *ss, *work;      /* s x s: B, S^, scratch */
  double *product, *residual; /* s x CHUNK */
  double *block;              /* F^_ii */
  double q_norm, y_norm, b_norm, r_norm, u_norm, s_norm;
  double uy;    /* <U, Y^>, rounded up */
  double delta; /* >= ||Q^T Q - I|| */
  double e_y, e_a, e_s;
} deflation;

/* What bounds nothing when it is not a number: fmax and fmin would drop it. */
static double number_or_infinity(double x) {
  return isnan(x) ? INFINITY : x;
}

static array_table arrays_of(deflation *f, size_t s, size_t block) {
  return (array_table){{ARRAY(f->b, s, s), ARRAY(f->ss, s, s), ARRAY(f->work, s, s), ARRAY(f->product, s, CHUNK),
                        ARRAY(f->residual, s, CHUNK), ARRAY(f->block, block, block)}};
}

static attcert_status deflation_init(deflation *f, const gram_facts *facts, const double *q, double *y, int s,
                                     attcert_error *err) {
  const size_t block = (size_t)facts->block;
  *f = (deflation){.facts = facts, .q = q, .y = y, .s = s, .length = (size_t)facts->tokens * block};
  const array_table arrays = arrays_of(f, (size_t)s, block);
  return array_table_allocate(&arrays, err, "a deflation by %d vectors", s);
}

static void deflation_clear(deflation *f) {
  const array_table arrays = arrays_of(f, 0, 0);
  array_table_release(&arrays);
}

/* c := Q^T Z for Z given like Q. */
static void basis_coefficients(const deflation *f, double *c, const double *z) {
  const int s = f->s, n = (int)f->length;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, s, s, n, 1.0, f->q, n, z, n, 0.0, c, s);
}

static double gamma_length(const deflation *f) {
  return gamma_upper((double)f->length + 1.0);
}

/* delta, B, and what A^ is off by; false when Q is too far from orthonormal. */
static bool small_matrices(deflation *f) {
  const size_t s = (size_t)f->s;
  f->q_norm = frobenius_norm_upper(f->q, s * f->length, f->length);
  f->y_norm = frobenius_norm_upper(f->y, s * f->length, f->length);
  basis_coefficients(f, f->work, f->q);
  for (size_t i = 0; i < s; i++) f->work[i * s + i] -= 1.0;
  f->delta = frobenius_norm_upper(f->work, s * s, s) + gamma_length(f) * f->q_norm * f->q_norm + (double)s * 0x1p-52;
  f->delta = round_up_nonnegative(f->delta, 8.0);
  basis_coefficients(f, f->work, f->y);
  for (size_t i = 0; i < s; i++)
    for (size_t j = 0; j < s; j++) f->b[i * s + j] = 0.5 * (f->work[i * s + j] + f->work[j * s + i]);
  f->b_norm = frobenius_norm_upper(f->b, s * s, s);
  f->e_y = round_up_nonnegative(f->facts->product_error * f->q_norm, 1.0);
  const double root = 1.0 + f->delta; /* >= sqrt(1 + delta) */
  f->e_a = gamma_length(f) * f->q_norm * f->y_norm + root * f->e_y + 0x1p-51 * f->b_norm;
  f->e_a = round_up_nonnegative(f->e_a, 8.0);
  return f->delta < 0.25;
}

/* One chunk of columns: S^ += R^ R^^T, and Y^ becomes U. Adds to the sums of squares and products. */
static void reduce_chunk(deflation *f, size_t first, size_t cols, double *r2, double *u2, double *uy) {
  const size_t s = (size_t)f->s;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, f->s, (int)cols, f->s, 1.0, f->b, f->s, f->q + first,
              (int)f->length, 0.0, f->product, CHUNK);
  for (size_t i = 0; i < s; i++) {
    double *const y = f->y + i * f->length + first, *const r = f->residual + i * CHUNK;
    const double *const p = f->product + i * CHUNK;
    double u_squares = 0.0, r_squares = 0.0, products = 0.0;
    for (size_t j = 0; j < cols; j++) {
      const double u = 0.5 * p[j] - y[j];
      r[j] = y[j] - p[j];
      r_squares += r[j] * r[j];
      u_squares += u * u;
      products += u * y[j];
      y[j] = u;
    }
    *r2 += r_squares;
    *u2 += u_squares;
    *uy += products;
  }
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, f->s, (int)cols, 1.0, f->residual, CHUNK, 1.0, f->ss, f->s);
}

/* S^, U and their norms. */
static void reduce(deflation *f) {
  const size_t s = (size_t)f->s;
  double r2 = 0.0, u2 = 0.0, uy = 0.0;
  memset(f->ss, 0, s * s * sizeof(double));
  for (size_t first = 0; first < f->length; first += CHUNK)
    reduce_chunk(f, first, f->length - first < CHUNK ? f->length - first : CHUNK, &r2, &u2, &uy);
  for (size_t i = 0; i < s; i++)
    for (size_t j = i + 1; j < s; j++) f->ss[i * s + j] = f->ss[j * s + i];
  const double chunks = (double)(f->length / CHUNK + 1), roundings = CHUNK + (double)s * chunks;
  const double count = (double)s * (double)f->length, underflow = (double)s * count * UNDERFLOW_UNIT;
  f->r_norm = frobenius_norm_of_sum(r2, roundings, count);
  f->u_norm = frobenius_norm_of_sum(u2, roundings, count);
  f->s_norm = frobenius_norm_upper(f->ss, s * s, s);
  const double lost = gamma_upper(roundings + 1.0) * f->u_norm * f->y_norm;
  f->uy = uy + (round_up_nonnegative(lost, 2.0) + underflow);
  f->uy += 0x1p-52 * fabs(f->uy);
  const double e_r = round_up_nonnegative(
      f->e_y + gamma_upper((double)s) * f->q_norm * f->b_norm + 0x1p-52 * f->r_norm + underflow, 8.0);
  f->e_s = 2.0 * f->r_norm * e_r + e_r * e_r + gamma_upper((double)f->length + chunks + 1.0) * f->r_norm * f->r_norm;
  f->e_s = round_up_nonnegative(f->e_s + underflow, 8.0);
}

/* square >= ||F||_F^2; the header's sum, upward. */
static void squared_norm(mpfr_t square, deflation *f) {
  const size_t s = (size_t)f->s;
  basis_coefficients(f, f->work, f->y);
  const double c_norm =
      frobenius_norm_upper(f->work, s * s, s) + round_up_nonnegative(gamma_length(f) * f->q_norm * f->u_norm, 2.0);
  const double root_length = round_up_nonnegative(sqrt((double)f->length), 1.0);
  const double g_norm =
      round_up_nonnegative(f->facts->frobenius + round_up_nonnegative(root_length * f->facts->gram_error, 1.0), 1.0);
  const double terms[] = {round_up_nonnegative(g_norm * g_norm, 1.0), 4.0 * f->uy,
                          round_up_nonnegative(4.0 * f->u_norm * f->e_y, 1.0),
                          round_up_nonnegative(2.0 * (1.0 + f->delta) * f->u_norm * f->u_norm, 3.0),
                          round_up_nonnegative(2.0 * c_norm * c_norm, 4.0)};
  mpfr_set_zero(square, 1);
  for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) mpfr_add_d(square, square, terms[i], MPFR_RNDU);
}

/* ||Q_i||_F or ||U_i||_F of a token. */
static double token_norm(const deflation *f, const double *z, size_t token) {
  const size_t block = (size_t)f->facts->block;
  double sum = 0.0;
  for (size_t i = 0; i < (size_t)f->s; i++) {
    const double *const row = z + i * f->length + token * block;
    sum += cblas_ddot((int)block, row, 1, row, 1);
  }
  return frobenius_norm_of_sum(sum, (double)block + (double)f->s, (double)block * (double)f->s);
}

/* An estimate of lambda_max(A), n x n. */
static attcert_status estimate_top(double *top, const double *a, int n, attcert_error *err) {
  double *const vector = array_new((size_t)n, sizeof *vector, err, "a vector of a matrix of side %d", n);
  if (vector == NULL) return ATTCERT_RESOURCE;
  const dense_matrix matrix = {a, n, n};
  const linear_operator op = dense_matrix_operator(&matrix);
  const attcert_status status = lanczos_top(vector, top, &op, NULL, err);
  free(vector);
  return status;
}

/* upper >= lambda_max(A), n x n. */
static attcert_status bound_top(mpfr_t upper, const double *a, int n, attcert_error *err) {
  double top = 0.0;
  const attcert_status status = estimate_top(&top, a, n, err);
  return status == ATTCERT_OK ? largest_eigenvalue_upper(upper, a, n, top, NULL, err) : status;
}

/* *top >= lambda_max(F_ii), and *norm <= ||F_ii||_F. */
static attcert_status bound_block(double *top, double *norm, const deflation *f, size_t token, attcert_error *err) {
  const int block = f->facts->block, n = (int)f->length, s = f->s;
  const size_t count = (size_t)block * (size_t)block, first = token * (size_t)block;
  memcpy(f->block, f->facts->diagonal + token * count, count * sizeof(double));
  const double g_norm = frobenius_norm_upper(f->block, count, (size_t)block);
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, block, block, s, 1.0, f->q + first, n, f->y + first, n, 1.0,
              f->block, block);
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, block, block, s, 1.0, f->y + first, n, f->q + first, n, 1.0,
              f->block, block);
  const double product = 2.0 * token_norm(f, f->q, token) * token_norm(f, f->y, token);
  const double rounding =
      round_up_nonnegative(gamma_upper(2.0 * s + 4.0) * (g_norm + product), 4.0) + UNDERFLOW_ALLOWANCE;
  /* F^_ii is what its upper triangle says. */
  for (int i = 0; i < block; i++)
    for (int j = 0; j < i; j++) f->block[i * block + j] = f->block[j * block + i];
  const double root_block = round_up_nonnegative(sqrt((double)block), 1.0);
  /* of block^2 squares and a root: less than (2 block^2 + 2 block + 2) 2^-1074 beyond the sum of squares */
  const double underflow = (double)block * 0x1p-535;
  const double off = round_up_nonnegative(2.0 * rounding + root_block * f->facts->gram_error + underflow, 4.0);
  const double computed = frobenius_norm_upper(f->block, count, (size_t)block) * (1.0 - (2.0 * block + 16.0) * 0x1p-51);
  *norm = fmax(0.0, (computed - off) * (1.0 - 0x1p-50));
  mpfr_t upper;
  mpfr_init2(upper, 64);
  const attcert_status status = bound_top(upper, f->block, block, err);
  mpfr_add_d(upper, upper, round_up_nonnegative(rounding * 2.0 + f->facts->gram_error, 1.0), MPFR_RNDU);
  *top = mpfr_get_d(upper, MPFR_RNDU);
  mpfr_clear(upper);
  return status;
}

/* *b >= lambda_max(F). */
static attcert_status bound_rest(double *b, deflation *f, attcert_error *err) {
  mpfr_t square, whole, norm2;
  mpfr_inits2(128, square, whole, norm2, (mpfr_ptr)0);
  squared_norm(square, f);
  mpfr_set(whole, square, MPFR_RNDU);
  double largest = 0.0;
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; i < (size_t)f->facts->tokens && status == ATTCERT_OK; i++) {
    double top = INFINITY, norm = 0.0;
    status = bound_block(&top, &norm, f, i, err);
    largest = fmax(largest, number_or_infinity(top));
    mpfr_set_d(norm2, norm, MPFR_RNDD);
    mpfr_sqr(norm2, norm2, MPFR_RNDD);
    mpfr_sub(square, square, norm2, MPFR_RNDU);
  }
  if (mpfr_sgn(square) < 0) mpfr_set_zero(square, 1);
  if (mpfr_sgn(whole) < 0) mpfr_set_zero(whole, 1);
  mpfr_sqrt(square, square, MPFR_RNDU);
  mpfr_add_d(square, square, largest, MPFR_RNDU);
  mpfr_sqrt(whole, whole, MPFR_RNDU);
  const bool numbers = !mpfr_nan_p(square) && !mpfr_nan_p(whole) && isfinite(largest);
  mpfr_min(square, square, whole, MPFR_RNDU);
  *b = numbers ? mpfr_get_d(square, MPFR_RNDU) + UNDERFLOW_ALLOWANCE : INFINITY;
  mpfr_clears(square, whole, norm2, (mpfr_ptr)0);
  return status;
}

/* work := B + S^ scale */
static void set_small_matrix(const deflation *f, double scale) {
  for (size_t i = 0; i < (size_t)f->s * (size_t)f->s; i++) f->work[i] = f->b[i] + f->ss[i] * scale;
}

/* *t > b: about the least t with h(t) <= t, h(t) = lambda_max(B + S^ / (t - b)), uncertified. h decreases, so the
 * solution lies between t and h(t) for every t, and above h(inf) = lambda_max(B). */
static attcert_status bisect_threshold(double *t, const deflation *f, double b, attcert_error *err) {
  double low = 0.0, high = INFINITY, top = 0.0;
  set_small_matrix(f, 0.0);
  attcert_status status = estimate_top(&low, f->work, f->s, err);
  double guess = fmax(low, b * (1.0 + 0x1p-8) + UNDERFLOW_ALLOWANCE);
  low = fmax(low, b * (1.0 + 0x1p-20)); /* what is lost to rounding is divided by t - b */
  for (int step = 0; step < SEARCH_STEPS && status == ATTCERT_OK && (isinf(high) || high - low > 1e-13 * high);
       step++) {
    set_small_matrix(f, 1.0 / (guess - b));
    status = estimate_top(&top, f->work, f->s, err);
    if (!isfinite(top)) break;
    low = fmax(low, fmin(guess, top));
    high = fmin(high, fmax(guess, top));
    guess = low + 0.5 * (high - low);
  }
  *t = high;
  return status;
}

/* upper := the header's max(t, h / (1 - delta)). */
static attcert_status bound_whole(mpfr_t upper, const deflation *f, double t, double b, attcert_error *err) {
  const double width = (t - b) * (1.0 - 0x1p-51);
  if (!(width > 0.0)) return ATTCERT_OK;
  const double scale = (1.0 / width) * (1.0 + 0x1p-51);
  mpfr_t h;
  mpfr_init2(h, 128);
  set_small_matrix(f, scale);
  const attcert_status status = bound_top(h, f->work, f->s, err);
  const double rounding = 0x1p-51 * (f->b_norm + f->s_norm * scale);
  mpfr_add_d(h, h, round_up_nonnegative(f->e_a + f->e_s * scale + rounding, 8.0) + UNDERFLOW_ALLOWANCE, MPFR_RNDU);
  if (mpfr_sgn(h) < 0) mpfr_set_zero(h, 1);
  mpfr_div_d(h, h, (1.0 - f->delta) * (1.0 - 0x1p-52), MPFR_RNDU);
  mpfr_set_d(upper, t, MPFR_RNDU);
  mpfr_max(upper, upper, h, MPFR_RNDU);
  if (mpfr_nan_p(h)) mpfr_set_inf(upper, 1); /* mpfr_max drops it */
  mpfr_clear(h);
  return status;
}

attcert_status deflation_upper(mpfr_t upper, const gram_facts *g, const double *q, double *y, int s,
                               attcert_error *err) {
  deflation f;
  mpfr_set_inf(upper, 1);
  attcert_status status = deflation_init(&f, g, q, y, s, err);
  if (status == ATTCERT_OK && small_matrices(&f)) {
    double b = INFINITY, t = INFINITY;
    reduce(&f);
    status = bound_rest(&b, &f, err);
    if (status == ATTCERT_OK && isfinite(b)) status = bisect_threshold(&t, &f, b, err);
    if (status == ATTCERT_OK && isfinite(t)) status = bound_whole(upper, &f, t, b, err);
  }
  deflation_clear(&f);
  return status;
}
