#include "certify/explicit_gram.h"

#include "certify/binary_exponent.h"
#include "certify/gamma_mpfr.h"
#include "certify/norm_upward.h"
#include "certify/parallel.h"
#include "certify/rounding.h"
#include "certify/sum_upward.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { ATTEMPTS = 40 };

static size_t packed(int i, int j) {
  return (size_t)i * ((size_t)i + 1) / 2 + (size_t)j;
}

typedef struct {
  explicit_gram *gram;
  const explicit_jacobian *j;
  bool transposed; /* A = J^T */
} product;

static const point *entry(const product *p, int row, int col) {
  const explicit_jacobian *const j = p->j;
  return &j->mid[p->transposed ? (size_t)col * (size_t)j->cols + (size_t)row
                               : (size_t)row * (size_t)j->cols + (size_t)col];
}

/* Row i of the lower triangle of A A^T. */
static void gram_row(void *context, int i) {
  const product *const p = context;
  const int inner = p->transposed ? p->j->rows : p->j->cols;
  mpfr_t t;
  mpfr_init2(t, p->gram->precision);
  for (int k = 0; k <= i; k++) {
    mpfr_ptr sum = p->gram->g[packed(i, k)].v;
    mpfr_set_zero(sum, 1);
    for (int c = 0; c < inner; c++) {
      mpfr_mul(t, entry(p, i, c)->v, entry(p, k, c)->v, MPFR_RNDN);
      mpfr_add(sum, sum, t, MPFR_RNDN);
    }
  }
  mpfr_clear(t);
}

uint64_t explicit_gram_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  const int width = layer->out_dim < layer->dim ? layer->out_dim : layer->dim;
  return 2 * (uint64_t)point_vec_bytes(packed(n * width, 0), precision); /* G and L */
}

attcert_status explicit_gram_init(explicit_gram *g, const explicit_jacobian *j, mpfr_prec_t precision,
                                  const attcert_options *options, attcert_error *err) {
  const bool transposed = j->cols < j->rows;
  const int n = transposed ? j->cols : j->rows, inner = transposed ? j->rows : j->cols;
  *g = (explicit_gram){.n = n, .precision = precision, .g = point_vec_new(packed(n, 0), precision)};
  mpfr_init2(g->error, 64);
  if (g->g == NULL) {
    mpfr_clear(g->error);
    return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a Gram matrix of side %d at %ld bits", n,
                        (long)precision);
  }
  product p = {g, j, transposed};
  parallel_for(n, parallel_threads(options->threads), gram_row, &p);
  mpfr_t sum, t;
  mpfr_init2(sum, 64);
  mpfr_init2(t, 64);
  mpfr_set_zero(sum, 1);
  add_squares_upward(sum, j->mid, (size_t)j->rows * (size_t)j->cols, t);
  gamma_mpfr(g->error, inner + 1.0, precision);
  multiply_upward(g->error, sum);
  mpfr_clear(sum);
  mpfr_clear(t);
  return ATTCERT_OK;
}

void explicit_gram_clear(explicit_gram *g) {
  point_vec_free(g->g);
  mpfr_clear(g->error);
  g->g = NULL;
}

typedef struct {
  const explicit_gram *gram;
  mpfr_srcptr tau2;
  point *l; /* packed */
  int column;
  mpfr_t *residual, *m; /* [n]: row sums of squares, upward */
} factorisation;

/* x := m_ij - sum_{k < count} l_ik l_jk, to nearest. */
static void eliminate(mpfr_t x, const factorisation *f, int i, int j, int count, mpfr_t t) {
  if (i == j)
    mpfr_sub(x, f->tau2, f->gram->g[packed(i, i)].v, MPFR_RNDN);
  else
    mpfr_neg(x, f->gram->g[packed(i, j)].v, MPFR_RNDN);
  for (int k = 0; k < count; k++) {
    mpfr_mul(t, f->l[packed(i, k)].v, f->l[packed(j, k)].v, MPFR_RNDN);
    mpfr_sub(x, x, t, MPFR_RNDN);
  }
}

/* Entry (column + 1 + index, column) of L. */
static void factor_entry(void *context, int index) {
  const factorisation *const f = context;
  const int j = f->column, i = j + 1 + index;
  mpfr_t t;
  mpfr_init2(t, f->gram->precision);
  eliminate(f->l[packed(i, j)].v, f, i, j, j, t);
  mpfr_div(f->l[packed(i, j)].v, f->l[packed(i, j)].v, f->l[packed(j, j)].v, MPFR_RNDN);
  mpfr_clear(t);
}

/* Column-wise Cholesky (Golub, Van Loan, 4.2); false when a pivot is not positive. */
static bool factorise(factorisation *f, int threads) {
  mpfr_t t;
  mpfr_init2(t, f->gram->precision);
  bool positive = true;
  for (f->column = 0; positive && f->column < f->gram->n; f->column++) {
    mpfr_ptr pivot = f->l[packed(f->column, f->column)].v;
    eliminate(pivot, f, f->column, f->column, f->column, t);
    positive = mpfr_sgn(pivot) > 0;
    mpfr_sqrt(pivot, pivot, MPFR_RNDN);
    const int below = f->gram->n - f->column - 1;
    if (positive) parallel_for(below, below > 32 ? threads : 1, factor_entry, f);
  }
  mpfr_clear(t);
  return positive;
}

/* Squares of row i of R~ and of M (both triangles). */
static void residual_row(void *context, int i) {
  const factorisation *const f = context;
  mpfr_t t, x;
  mpfr_init2(t, f->gram->precision);
  mpfr_init2(x, f->gram->precision);
  for (int j = 0; j <= i; j++) {
    for (int twice = 0; twice <= (j < i); twice++) {
      eliminate(x, f, i, j, 0, t);
      add_square_upward(f->m[i], x, t);
    }
    eliminate(x, f, i, j, j + 1, t);
    for (int twice = 0; twice <= (j < i); twice++) add_square_upward(f->residual[i], x, t);
  }
  mpfr_clear(t);
  mpfr_clear(x);
}

/* upper := tau2 + ||R~||_F + gamma_{n+2} (||M||_F + ||L||_F^2) + error. The diagonal of M, rounded, is one more rounding. */
static void certified_bound(mpfr_t upper, factorisation *f, int threads) {
  const explicit_gram *const g = f->gram;
  parallel_for(g->n, threads, residual_row, f);
  mpfr_t gamma, t, norm;
  mpfr_inits2(64, gamma, t, norm, (mpfr_ptr)0);
  root_of_sum_upward(norm, f->m, g->n);
  add_squares_upward(norm, f->l, packed(g->n, 0), t);
  gamma_mpfr(gamma, g->n + 3.0, g->precision);
  multiply_upward(norm, gamma);
  root_of_sum_upward(t, f->residual, g->n);
  add_certificate_terms(upper, f->tau2, norm, t, g->error);
  mpfr_clears(gamma, t, norm, (mpfr_ptr)0);
}

/* upper := tr(G~) + error >= lambda_max: needs no factorisation. */
static void trace_bound(mpfr_t upper, const explicit_gram *g) {
  mpfr_set(upper, g->error, MPFR_RNDU);
  for (int i = 0; i < g->n; i++) mpfr_add(upper, upper, g->g[packed(i, i)].v, MPFR_RNDU);
  /* The trace of G~ exceeds that of A A^T by at most n error: diagonal entries carry theirs. */
  mpfr_t t;
  mpfr_init2(t, 64);
  mpfr_mul_ui(t, g->error, (unsigned long)g->n, MPFR_RNDU);
  mpfr_add(upper, upper, t, MPFR_RNDU);
  mpfr_clear(t);
}

static bool factorisation_init(factorisation *f, const explicit_gram *g, mpfr_srcptr tau2) {
  *f = (factorisation){.gram = g, .tau2 = tau2, .l = point_vec_new(packed(g->n, 0), g->precision)};
  f->residual = calloc(2 * (size_t)g->n, sizeof(mpfr_t));
  f->m = f->residual + g->n;
  if (f->l == NULL || f->residual == NULL) {
    point_vec_free(f->l);
    free(f->residual);
    return false;
  }
  for (int i = 0; i < 2 * g->n; i++) {
    mpfr_init2(f->residual[i], 64);
    mpfr_set_zero(f->residual[i], 1);
  }
  return true;
}

static void factorisation_clear(factorisation *f) {
  for (int i = 0; i < 2 * f->gram->n; i++) mpfr_clear(f->residual[i]);
  free(f->residual);
  point_vec_free(f->l);
}

attcert_status explicit_gram_upper(mpfr_t upper, const explicit_gram *g, mpfr_srcptr guess, double slack,
                                   const attcert_options *options, attcert_error *err) {
  mpfr_t tau2, bound;
  mpfr_init2(tau2, g->precision);
  mpfr_init2(bound, g->precision);
  trace_bound(upper, g);
  factorisation f;
  attcert_status status = ATTCERT_OK;
  if (!factorisation_init(&f, g, tau2))
    status =
        attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a factor of side %d at %ld bits", g->n, (long)g->precision);
  bool done = status != ATTCERT_OK || mpfr_sgn(guess) <= 0;
  const int threads = parallel_threads(options->threads);
  for (int attempt = 0; !done && attempt < ATTEMPTS; attempt++, slack *= 16.0) {
    if (options->progress != NULL) options->progress(options->progress_context, "factorisation in MPFR", 0.0);
    mpfr_set_d(tau2, slack, MPFR_RNDU);
    mpfr_add_ui(tau2, tau2, 1, MPFR_RNDU);
    mpfr_mul(tau2, tau2, guess, MPFR_RNDU);
    done = mpfr_cmp(tau2, upper) >= 0; /* the trace is as good */
    if (done || !factorise(&f, threads)) continue;
    certified_bound(bound, &f, threads);
    mpfr_min(upper, upper, bound, MPFR_RNDU);
    done = true;
  }
  if (status == ATTCERT_OK) factorisation_clear(&f);
  mpfr_clear(tau2);
  mpfr_clear(bound);
  return status;
}

void explicit_gram_to_double(double *a, long *exponent, double *error, const explicit_gram *g) {
  long largest = EXPONENT_OF_ZERO;
  for (size_t i = 0; i < packed(g->n, 0); i++) largest = exponent_max(largest, exponent_of_endpoint(g->g[i].v));
  *exponent = largest == EXPONENT_OF_ZERO ? 0 : largest;
  mpfr_t t;
  mpfr_init2(t, g->precision);
  double squares = 0.0;
  for (int i = 0; i < g->n; i++) {
    for (int j = 0; j <= i; j++) {
      mpfr_mul_2si(t, g->g[packed(i, j)].v, -*exponent, MPFR_RNDN);
      const double x = mpfr_get_d(t, MPFR_RNDN);
      a[(size_t)i * (size_t)g->n + (size_t)j] = a[(size_t)j * (size_t)g->n + (size_t)i] = x;
      squares += (i == j ? 1.0 : 2.0) * x * x;
    }
  }
  const double count = (double)g->n * (double)g->n;
  const double norm = round_up_nonnegative(sqrt(round_up_nonnegative(squares, count + 1.0)), 1.0);
  mpfr_mul_2si(t, g->error, -*exponent, MPFR_RNDU);
  /* to nearest: u |x| an entry, or 2^-1075 in the subnormal range */
  *error = round_up_nonnegative(norm * UNIT_ROUNDOFF * 1.0000001 + count * 0x1p-1074 + mpfr_get_d(t, MPFR_RNDU), 4.0);
  mpfr_clear(t);
}
