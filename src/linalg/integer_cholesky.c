#include "linalg/integer_cholesky.h"

#include "base/parallel.h"
#include "linalg/sum_upward.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Columns eliminated together: rows of L that stay in the cache while the rows below pass by. */
enum { BLOCK = 16 };

bool integer_cholesky_init(integer_cholesky *f, size_t n, size_t digits) {
  f->squares = fixed_matrix_init(&f->l, n, n, digits, 0) ? calloc(n, sizeof(mpfr_t)) : NULL;
  if (f->squares == NULL) {
    fixed_matrix_clear(&f->l);
    return false;
  }
  for (size_t i = 0; i < n; i++) mpfr_init2(f->squares[i], 64);
  return true;
}

void integer_cholesky_clear(integer_cholesky *f) {
  for (size_t i = 0; i < f->l.rows; i++) mpfr_clear(f->squares[i]);
  free(f->squares);
  fixed_matrix_clear(&f->l);
}

typedef struct {
  integer_cholesky *f;
  const fixed_matrix *g;
  mpz_srcptr t;
  size_t first, end; /* the block of columns */
  atomic_bool failed;
} elimination;

/* What an entry is computed in. */
typedef struct {
  mpz_t c, entry, half, quotient, remainder;
  mpfr_t r, square;
} entry_scratch;

static void entry_scratch_init(entry_scratch *z) {
  mpz_inits(z->c, z->entry, z->half, z->quotient, z->remainder, (mpz_ptr)0);
  mpfr_inits2(64, z->r, z->square, (mpfr_ptr)0);
}

static void entry_scratch_clear(entry_scratch *z) {
  mpz_clears(z->c, z->entry, z->half, z->quotient, z->remainder, (mpz_ptr)0);
  mpfr_clears(z->r, z->square, (mpfr_ptr)0);
}

/* c := c_ij. */
static void eliminate(entry_scratch *z, const elimination *e, size_t i, size_t j) {
  fixed_matrix_dot(z->c, &e->f->l, i, &e->f->l, j, j);
  fixed_matrix_get(z->entry, e->g, i * (i + 1) / 2 + j, 0);
  mpz_add(z->c, z->c, z->entry);
  if (i == j)
    mpz_sub(z->c, e->t, z->c);
  else
    mpz_neg(z->c, z->c);
}

/* quotient := c / l_jj to nearest, remainder := what is left: floor((c + half) / l_jj) with half = floor(l_jj / 2). */
static void divide_by_pivot(entry_scratch *z, const elimination *e, size_t j) {
  fixed_matrix_get(z->entry, &e->f->l, j, j);
  mpz_fdiv_q_2exp(z->half, z->entry, 1);
  mpz_add(z->c, z->c, z->half);
  mpz_fdiv_qr(z->quotient, z->remainder, z->c, z->entry);
  mpz_sub(z->remainder, z->remainder, z->half);
}

/* squares += r_ij^2, twice beside the diagonal: both triangles of R are counted in the lower one. */
static void add_remainder(mpfr_ptr squares, entry_scratch *z, size_t i, size_t j) {
  mpfr_set_z(z->r, z->remainder, MPFR_RNDA); /* no smaller in magnitude */
  sum_upward_square(squares, z->r, z->square);
  if (i > j) sum_upward_square(squares, z->r, z->square);
}

/* l_ij, and what is left of c_ij; false when there is no such entry. */
static bool factor_entry(const elimination *e, size_t i, size_t j, entry_scratch *z) {
  eliminate(z, e, i, j);
  if (i > j)
    divide_by_pivot(z, e, j);
  else if (mpz_sgn(z->c) > 0)
    mpz_sqrtrem(z->quotient, z->remainder, z->c);
  else {
    e->f->failed = j;
    return false;
  }
  if (!fixed_matrix_fits(&e->f->l, z->quotient)) return false;
  fixed_matrix_set(&e->f->l, i, j, z->quotient);
  add_remainder(e->f->squares[i], z, i, j);
  return true;
}

/* Row i of the block of columns. */
static void factor_row(elimination *e, size_t i) {
  entry_scratch z;
  entry_scratch_init(&z);
  for (size_t j = e->first; j < e->end && j <= i && !atomic_load(&e->failed); j++)
    if (!factor_entry(e, i, j, &z)) atomic_store(&e->failed, true);
  entry_scratch_clear(&z);
}

static void factor_row_below(void *context, int index) {
  elimination *const e = context;
  factor_row(e, e->end + (size_t)index);
}

bool integer_cholesky_residual(mpfr_ptr residual, integer_cholesky *f, const fixed_matrix *g, mpz_srcptr t,
                               int threads) {
  const size_t n = f->l.rows;
  elimination e = {.f = f, .g = g, .t = t};
  atomic_init(&e.failed, false);
  f->failed = n;
  for (size_t i = 0; i < n; i++) mpfr_set_zero(f->squares[i], 1);
  for (; e.first < n && !atomic_load(&e.failed); e.first = e.end) {
    e.end = e.first + BLOCK < n ? e.first + BLOCK : n;
    for (size_t i = e.first; i < e.end; i++) factor_row(&e, i);
    parallel_for((int)(n - e.end), threads, factor_row_below, &e);
  }
  sum_upward_root(residual, f->squares, (int)n);
  return !atomic_load(&e.failed);
}

bool integer_cholesky_curvature(double *w, const integer_cholesky *f) {
  const size_t n = f->l.rows, c = f->failed;
  if (c == n) return false;
  mpz_t x;
  mpz_init(x);
  memset(w, 0, n * sizeof *w);
  for (size_t i = c + 1; i-- > 0;) {
    fixed_matrix_get(x, &f->l, i, i);
    w[i] = i == c ? 1.0 : -w[i] / mpz_get_d(x);
    for (size_t j = 0; j < i; j++) {
      fixed_matrix_get(x, &f->l, i, j);
      w[j] += mpz_get_d(x) * w[i];
    }
  }
  mpz_clear(x);
  return true;
}
