#include "linalg/integer_cholesky.h"

#include "base/parallel.h"
#include "linalg/sum_upward.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Columns eliminated together: rows of L that stay in the cache while the rows below pass by. */
enum { BLOCK = 16 };

bool integer_cholesky_init(integer_cholesky *f, size_t n, size_t digits) {
  f->failed = n;
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

static void scratch_init(cholesky_scratch *z) {
  mpz_inits(z->c, z->entry, z->half, z->quotient, z->remainder, (mpz_ptr)0);
  mpfr_inits2(64, z->r, z->square, (mpfr_ptr)0);
}

static void scratch_clear(cholesky_scratch *z) {
  mpz_clears(z->c, z->entry, z->half, z->quotient, z->remainder, (mpz_ptr)0);
  mpfr_clears(z->r, z->square, (mpfr_ptr)0);
}

/* Row i of the block of columns. Pivots are in the block's own rows, which no other thread writes. */
static void factor_row(elimination *e, size_t i) {
  if (atomic_load(&e->failed)) return;
  cholesky_scratch z;
  scratch_init(&z);
  const cholesky_system s = {.l = &e->f->l, .g = e->g, .t = e->t};
  const cholesky_outcome outcome = integer_cholesky_row(s, e->f->squares[i], i, e->first, e->end, &z);
  if (outcome == CHOLESKY_NOT_POSITIVE) e->f->failed = i;
  if (outcome != CHOLESKY_DONE) atomic_store(&e->failed, true);
  scratch_clear(&z);
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
