#include "certify/jacobian/explicit_gram.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "base/progress_report.h"
#include "linalg/binary_exponent.h"
#include "linalg/fixed_matrix_round.h"
#include "linalg/gram_bound.h"
#include "linalg/gram_rounding.h"
#include "linalg/integer_cholesky_curvature.h"
#include "linalg/integer_cholesky_memory.h"
#include "linalg/integer_gram.h"
#include "linalg/rounding.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { ATTEMPTS = 40, IMPROVEMENTS = 3, BLOCK = 16 /* rows that stay in the cache while the others pass by */ };
enum { BOUND_PRECISION = 128 };

/* Relative: more than the roundings of an estimate in double. */
static const double DISTINCT = 1e-13;

/* A, m x k with m <= k. */
typedef struct {
  const explicit_jacobian *j;
  bool transposed; /* A = J^T */
  int rows, cols;
} midpoints;

static midpoints smaller_side(const explicit_jacobian *j) {
  const bool transposed = j->cols < j->rows;
  return (midpoints){j, transposed, transposed ? j->cols : j->rows, transposed ? j->rows : j->cols};
}

/* Where row i of A begins among J's midpoints, whose entries are row_stride apart. */
static const point *row_of(const midpoints *a, int i) {
  return a->j->mid + (size_t)i * (a->transposed ? 1 : (size_t)a->j->cols);
}

static size_t row_stride(const midpoints *a) {
  return a->transposed ? (size_t)a->j->cols : 1;
}

/* ---- bits -------------------------------------------------------------------------------------------------------- */

static long ceil_log2(int n) {
  long bits = 0;
  while ((INT64_C(1) << bits) < n) bits++;
  return bits;
}

/* ceil(log2(sqrt(m k))) or one more. */
static long half_bits(int m, int k) {
  return (ceil_log2(m) + ceil_log2(k) + 1) / 2;
}

/* Digits of A~ and of L: x - e bits for an entry, and ||A~||_F, which is at most sqrt(m k) times as large, is to fit
 * with a bit to spare, as no pivot is tried beyond it. */
static size_t digits_for(int m, int k) {
  const long bits = EXPLICIT_GRAM_PRECISION + 2 + ceil_log2(m) + (ceil_log2(k) + 1) / 2 + half_bits(m, k) + 1;
  return ((size_t)bits + FIXED_DIGIT_BITS - 1) / FIXED_DIGIT_BITS;
}

/* x; 0 for the zero matrix, of which nothing is rounded. */
static long largest_exponent(const explicit_jacobian *j) {
  long largest = EXPONENT_OF_ZERO;
  const size_t count = (size_t)j->rows * (size_t)j->cols;
  for (size_t i = 0; i < count; i++) largest = exponent_max(largest, exponent_of_endpoint(j->mid[i].v));
  return largest == EXPONENT_OF_ZERO ? 0 : largest;
}

/* e: every bit that the digits leave. */
static long unit_exponent(const midpoints *a, size_t digits) {
  return largest_exponent(a->j) + half_bits(a->rows, a->cols) + 1 - FIXED_DIGIT_BITS * (long)digits;
}

uint64_t explicit_gram_bytes(const attcert_layer *layer, int n) {
  const int m = n * (layer->out_dim < layer->dim ? layer->out_dim : layer->dim);
  const int k = n * (layer->out_dim < layer->dim ? layer->dim : layer->out_dim);
  const size_t digits = digits_for(m, k);
  const uint64_t rounded = fixed_matrix_bytes((size_t)m, (size_t)k, digits),
                 product = fixed_matrix_bytes(explicit_gram_index(m, 0), 1, 2 * digits);
  return rounded > UINT64_MAX - product ? UINT64_MAX : rounded + product;
}

/* ---- A~ and A~ A~^T ---------------------------------------------------------------------------------------------- */

typedef struct {
  const midpoints *a;
  fixed_matrix rounded;  /* A~ */
  fixed_matrix *product; /* G~ */
  atomic_size_t inexact; /* entries of D that are not 0 */
  atomic_bool too_long;  /* an entry has more digits than there is room for */
} multiplication;

static void round_row(void *context, int i) {
  multiplication *const p = context;
  size_t inexact;
  if (fixed_matrix_round_row(&p->rounded, (size_t)i, row_of(p->a, i), row_stride(p->a), &inexact))
    atomic_fetch_add(&p->inexact, inexact);
  else
    atomic_store(&p->too_long, true);
}

/* One block of rows of the lower triangle; the last, which is the longest, first. */
static void multiply_block(void *context, int index) {
  multiplication *const p = context;
  const int m = p->a->rows, first = ((m - 1) / BLOCK - index) * BLOCK, end = first + BLOCK < m ? first + BLOCK : m;
  mpz_t sum;
  mpz_init(sum);
  if (!integer_gram_rows(p->product, &p->rounded, (size_t)first, (size_t)end, sum)) atomic_store(&p->too_long, true);
  mpz_clear(sum);
}

static void rounding_error(mpfr_ptr error, const multiplication *p) {
  const midpoints *const a = p->a;
  mpfr_t d, t;
  mpfr_inits2(64, d, t, (mpfr_ptr)0);
  gram_rounding_error(error, a->j->mid, (size_t)a->rows * (size_t)a->cols, atomic_load(&p->inexact),
                      p->rounded.exponent, d, t);
  mpfr_clears(d, t, (mpfr_ptr)0);
}

/* By the choice of their digits every entry has room. */
static attcert_status form_gram(explicit_gram *g, multiplication *p, int threads, attcert_error *err) {
  const int m = p->a->rows;
  atomic_init(&p->inexact, 0);
  atomic_init(&p->too_long, false);
  parallel_for(m, threads, round_row, p);
  parallel_for((m + BLOCK - 1) / BLOCK, threads, multiply_block, p);
  rounding_error(g->error, p);
  if (!atomic_load(&p->too_long)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_FAULT,
                      "the Gram matrix of side %d: an entry is no number or has more digits than any could", m);
}

attcert_status explicit_gram_init(explicit_gram *g, const explicit_jacobian *j, const attcert_options *options,
                                  attcert_error *err) {
  const midpoints a = smaller_side(j);
  const size_t m = (size_t)a.rows, digits = digits_for(a.rows, a.cols);
  const long exponent = unit_exponent(&a, digits);
  *g = (explicit_gram){.n = a.rows};
  mpfr_init2(g->error, 64);
  multiplication p = {.a = &a, .product = &g->g};
  attcert_status status;
  if (fixed_matrix_init(&g->g, explicit_gram_index(a.rows, 0), 1, 2 * digits, 2 * exponent) &&
      fixed_matrix_init(&p.rounded, m, (size_t)a.cols, digits, exponent)) {
    status = form_gram(g, &p, parallel_threads(options->threads), err);
  } else {
    const uint64_t bytes = fixed_matrix_bytes(explicit_gram_index(a.rows, 0), 1, 2 * digits) +
                           fixed_matrix_bytes(m, (size_t)a.cols, digits);
    status = array_out_of_memory(err, bytes, "the Gram matrix of side %d in fixed point", a.rows);
  }
  fixed_matrix_clear(&p.rounded);
  if (status != ATTCERT_OK) explicit_gram_clear(g);
  return status;
}

void explicit_gram_clear(explicit_gram *g) {
  fixed_matrix_clear(&g->g);
  mpfr_clear(g->error);
}

/* ---- the largest eigenvalue -------------------------------------------------------------------------------------- */

/* upper := tr(G~) + error >= lambda_max, as G~ is positive semidefinite: needs no factorisation. */
static void trace_bound(mpfr_ptr upper, const explicit_gram *g) {
  mpz_t trace, x;
  mpfr_t t;
  mpz_inits(trace, x, (mpz_ptr)0);
  mpfr_init2(t, BOUND_PRECISION);
  for (int i = 0; i < g->n; i++) {
    fixed_matrix_get(x, &g->g, explicit_gram_index(i, i), 0);
    mpz_add(trace, trace, x);
  }
  mpfr_set_z_2exp(t, trace, g->g.exponent, MPFR_RNDU);
  mpfr_add(upper, t, g->error, MPFR_RNDU);
  mpz_clears(trace, x, (mpz_ptr)0);
  mpfr_clear(t);
}

/* upper := the bound from tau2; false when tau2 I - G~ has no Cholesky factor. */
static bool factor_bound(mpfr_ptr upper, const explicit_gram *g, integer_cholesky *f, mpfr_srcptr tau2, int threads) {
  mpfr_t scaled, unit, residual;
  mpz_t t;
  mpfr_init2(scaled, mpfr_get_prec(tau2));
  mpfr_inits2(64, unit, residual, (mpfr_ptr)0);
  mpz_init(t);
  const bool positive =
      gram_bound_shift(t, tau2, g->g.exponent, scaled) && integer_cholesky_residual(residual, f, &g->g, t, threads);
  if (positive) gram_bound(upper, tau2, g->g.exponent, residual, g->error, unit);
  mpz_clear(t);
  mpfr_clears(scaled, unit, residual, (mpfr_ptr)0);
  return positive;
}

/* A better guess where the pivot that failed gives one, beyond what double precision could not tell from the old one:
 * whatever the first slack, all attempts then go on from about the same guess. */
static attcert_status improve_guess(mpfr_ptr guess, bool *improved, const integer_cholesky *f,
                                    const explicit_gram_guess *better, attcert_error *err) {
  *improved = false;
  if (better == NULL || f->failed == f->l.rows) return ATTCERT_OK;
  double *const w = array_new(f->l.rows, sizeof *w, err, "a direction of the Gram matrix");
  if (w == NULL) return ATTCERT_RESOURCE;
  mpfr_t found, least;
  mpfr_inits2(BOUND_PRECISION, found, least, (mpfr_ptr)0);
  mpfr_set_zero(found, 1);
  attcert_status status = ATTCERT_OK;
  if (integer_cholesky_curvature(w, f)) status = better->improve(better->context, found, w, err);
  mpfr_mul_d(least, guess, 1.0 + DISTINCT, MPFR_RNDU);
  *improved = status == ATTCERT_OK && mpfr_number_p(found) && mpfr_cmp(found, least) > 0;
  if (*improved) mpfr_set(guess, found, MPFR_RNDN);
  mpfr_clears(found, least, (mpfr_ptr)0);
  free(w);
  return status;
}

/* tau2 := guess (1 + slack) */
static void set_shift(mpfr_ptr tau2, mpfr_srcptr guess, double slack) {
  mpfr_set_d(tau2, slack, MPFR_RNDU);
  mpfr_add_ui(tau2, tau2, 1, MPFR_RNDU);
  mpfr_mul(tau2, tau2, guess, MPFR_RNDU);
}

/* upper := the lesser of itself and the bound from the first tau2 that has a factor. guess is overwritten. */
static attcert_status improve_bound(mpfr_ptr upper, const explicit_gram *g, integer_cholesky *f, mpfr_ptr guess,
                                    double first, const explicit_gram_guess *better, const attcert_options *options,
                                    attcert_error *err) {
  const int threads = parallel_threads(options->threads);
  attcert_status status = ATTCERT_OK;
  double slack = first;
  bool done = false, improved;
  mpfr_t tau2, bound;
  mpfr_inits2(BOUND_PRECISION, tau2, bound, (mpfr_ptr)0);
  for (int i = 0, left = IMPROVEMENTS; !done && i < ATTEMPTS && status == ATTCERT_OK; i++) {
    status = progress_report(options, "factorisation in integers", 0.0, err);
    if (status != ATTCERT_OK) break;
    set_shift(tau2, guess, slack);
    done = mpfr_cmp(tau2, upper) >= 0; /* what is known is as good */
    if (done) break;
    done = factor_bound(bound, g, f, tau2, threads);
    if (done) mpfr_min(upper, upper, bound, MPFR_RNDU);
    slack *= 16.0;
    if (done || left == 0) continue;
    status = improve_guess(guess, &improved, f, better, err);
    if (improved) slack = first;
    left -= improved;
  }
  mpfr_clears(tau2, bound, (mpfr_ptr)0);
  return status;
}

attcert_status explicit_gram_upper(mpfr_t upper, const explicit_gram *g, mpfr_srcptr guess, double slack,
                                   const explicit_gram_guess *better, const attcert_options *options,
                                   attcert_error *err) {
  const size_t digits = g->g.digits / 2;
  integer_cholesky f;
  if (!integer_cholesky_init(&f, (size_t)g->n, digits))
    return array_out_of_memory(err, fixed_matrix_bytes((size_t)g->n, (size_t)g->n, digits),
                               "the Cholesky factor of side %d in fixed point", g->n);
  mpfr_t start;
  mpfr_init2(start, BOUND_PRECISION);
  mpfr_set(start, guess, MPFR_RNDU);
  trace_bound(upper, g);
  if (mpfr_sgn(start) <= 0) mpfr_div_ui(start, upper, 2 * (unsigned long)g->n, MPFR_RNDU); /* lambda_max >= trace / n */
  const attcert_status status = improve_bound(upper, g, &f, start, slack, better, options, err);
  mpfr_clear(start);
  integer_cholesky_clear(&f);
  return status;
}

/* ---- in double --------------------------------------------------------------------------------------------------- */

/* Bits of the largest entry; 0 for the zero matrix. */
static size_t largest_bits(const explicit_gram *g) {
  size_t largest = 0;
  mpz_t x;
  mpz_init(x);
  for (size_t i = 0; i < g->g.rows; i++) {
    fixed_matrix_get(x, &g->g, i, 0);
    const size_t bits = mpz_sgn(x) == 0 ? 0 : mpz_sizeinbase(x, 2);
    if (bits > largest) largest = bits;
  }
  mpz_clear(x);
  return largest;
}

void explicit_gram_to_double(double *a, long *exponent, double *error, const explicit_gram *g) {
  const size_t bits = largest_bits(g);
  *exponent = bits == 0 ? 0 : g->g.exponent + (long)bits;
  mpz_t integer;
  mpfr_t t;
  mpz_init(integer);
  mpfr_init2(t, 53);
  double squares = 0.0;
  for (int i = 0; i < g->n; i++) {
    for (int j = 0; j <= i; j++) {
      fixed_matrix_get(integer, &g->g, explicit_gram_index(i, j), 0);
      mpfr_set_z_2exp(t, integer, -(long)bits, MPFR_RNDN);
      const double x = mpfr_get_d(t, MPFR_RNDN);
      a[(size_t)i * (size_t)g->n + (size_t)j] = a[(size_t)j * (size_t)g->n + (size_t)i] = x;
      squares += (i == j ? 1.0 : 2.0) * x * x;
    }
  }
  const double count = (double)g->n * (double)g->n;
  const double norm = round_up_nonnegative(sqrt(round_up_nonnegative(squares, count + 1.0)), 1.0);
  mpfr_mul_2si(t, g->error, -*exponent, MPFR_RNDU);
  /* to nearest: u |x| an entry, or the underflow unit */
  *error =
      round_up_nonnegative(norm * UNIT_ROUNDOFF * 1.0000001 + count * UNDERFLOW_UNIT + mpfr_get_d(t, MPFR_RNDU), 4.0);
  mpfr_clear(t);
  mpz_clear(integer);
}
