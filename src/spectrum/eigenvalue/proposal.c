#include "spectrum/eigenvalue/proposal.h"

#include "base/arrays.h"
#include "base/lapack_memory.h"
#include "base/parallel.h"
#include "base/uniform.h"
#include "interval/interval_convert.h"

#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* re + i im, as the standard stores it; CMPLX, which clang has not for glibc's header. */
static double complex complex_of(double re, double im) {
  const double parts[] = {re, im};
  double complex z;
  memcpy(&z, parts, sizeof z);
  return z;
}

static void midpoints(double *mid, const interval *a, size_t count) {
  interval_scratch ws;
  double radius;
  interval_scratch_init(&ws, mpfr_get_prec(a->lo));
  for (size_t i = 0; i < count; i++) interval_get_midrad(&mid[i], &radius, &a[i], &ws);
  interval_scratch_clear(&ws);
}

/* Eigenvectors of a (k x k, overwritten), in LAPACK's columns, and the imaginary parts of their eigenvalues. */
static attcert_status eigenvectors(bool *found, double *vectors, double *imaginary, double *a, size_t k,
                                   attcert_error *err) {
  const lapack_int n = (lapack_int)k;
  *found = false;
  double *const real = array_new(k, sizeof *real, err, "eigenvalues of a matrix of side %zu", k);
  if (real == NULL) return ATTCERT_RESOURCE;
  const lapack_int info = LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', n, a, n, real, imaginary, NULL, n, vectors, n);
  free(real);
  *found = info == 0;
  for (size_t i = 0; i < k * k; i++) *found = *found && isfinite(vectors[i]);
  if (lapack_lacks_memory(info)) return array_out_of_memory(err, 0, "LAPACK's work on a matrix of side %zu", k);
  return ATTCERT_OK;
}

static void set_pairs(spectrum_similarity *s, const double *imaginary) {
  for (size_t j = 0; j < s->size; j++) s->first[j] = imaginary[j] > 0.0 && j + 1 < s->size;
}

attcert_status spectrum_proposal(bool *found, spectrum_similarity *s, double perturbation, attcert_error *err) {
  const size_t k = s->size;
  double *a, *imaginary, *vectors;
  const array_table arrays = {{ARRAY(a, k, k), ARRAY(imaginary, k), ARRAY(vectors, k, k)}};
  *found = false;
  attcert_status status = array_table_allocate(&arrays, err, "eigenvectors of a matrix of side %zu", k);
  if (status != ATTCERT_OK) return status;
  midpoints(a, s->matrix, k * k);
  for (size_t i = 0; i < k * k; i++) a[i] += perturbation * uniform_entry(i);
  status = eigenvectors(found, vectors, imaginary, a, k, err);
  if (*found) set_pairs(s, imaginary);
  for (size_t i = 0; *found && i < k * k; i++) mpfr_set_d(s->basis[i % k * k + i / k].v, vectors[i], MPFR_RNDN);
  array_table_release(&arrays);
  return status;
}

typedef struct {
  spectrum_similarity *s;
  const double *y; /* k x k */
} update;

/* Row j of (X + X Y)^T, into work. */
static void update_row(void *context, int index) {
  const update *const u = context;
  const size_t k = u->s->size, j = (size_t)index;
  point *const row = u->s->work + j * k;
  mpfr_t t;
  mpfr_init2(t, mpfr_get_prec(row->v));
  for (size_t c = 0; c < k; c++) mpfr_set(row[c].v, u->s->basis[j * k + c].v, MPFR_RNDN);
  for (size_t i = 0; i < k; i++) {
    const double factor = u->y[i * k + j];
    for (size_t c = 0; factor != 0.0 && c < k; c++) {
      mpfr_mul_d(t, u->s->basis[i * k + c].v, factor, MPFR_RNDN);
      mpfr_add(row[c].v, row[c].v, t, MPFR_RNDN);
    }
  }
  mpfr_clear(t);
}

/* X := X + X Y. */
static void update_basis(spectrum_similarity *s, const double *y) {
  const size_t k = s->size;
  update u = {s, y};
  parallel_for((int)k, parallel_threads(0), update_row, &u);
  point *const basis = s->basis;
  s->basis = s->work;
  s->work = basis;
}

/* E's middle, and the group of each row: its least row. */
typedef struct {
  double *re, *im; /* k x k */
  size_t *group;
} couplings;

static double modulus(const couplings *c, size_t at) {
  return hypot(c->re[at], c->im[at]);
}

static void join_groups(couplings *c, size_t one, size_t other, size_t k) {
  const size_t least = one < other ? one : other, gone = one < other ? other : one;
  for (size_t i = 0; i < k; i++) {
    if (c->group[i] == gone) c->group[i] = least;
  }
}

static void group_rows(couplings *c, size_t k) {
  static const double small = 0x1p-4;
  for (size_t i = 0; i < k; i++) c->group[i] = i;
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j < i; j++) {
      const size_t ij = i * k + j, ji = j * k + i, ii = i * k + i, jj = j * k + j;
      const double gap = hypot(c->re[jj] - c->re[ii], c->im[jj] - c->im[ii]);
      if (fmax(modulus(c, ij), modulus(c, ji)) < small * gap) continue;
      join_groups(c, c->group[i], c->group[j], k);
    }
  }
}

static void set_couplings(couplings *c, const spectrum_similarity *s) {
  midpoints(c->re, s->real, s->size * s->size);
  midpoints(c->im, s->imaginary, s->size * s->size);
}

/* f := F; returns its largest modulus. */
static double first_order_step(double complex *f, const couplings *c, size_t k) {
  double largest = 0.0;
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j < k; j++) {
      const size_t ij = i * k + j, ii = i * k + i, jj = j * k + j;
      const double complex gap = complex_of(c->re[jj] - c->re[ii], c->im[jj] - c->im[ii]);
      f[ij] = c->group[i] != c->group[j] ? complex_of(c->re[ij], c->im[ij]) / gap : 0.0;
      largest = fmax(largest, cabs(f[ij]));
    }
  }
  return largest;
}

/* f := T f T^-1, which is real but for roundings. */
static void to_real_basis(double complex *f, const bool *first, size_t k) {
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; first[i] && j < k; j++) {
      double complex *const one = f + i * k + j, *const other = one + k, difference = *one - *other;
      *one += *other;
      *other = complex_of(-cimag(difference), creal(difference));
    }
  }
  for (size_t j = 0; j < k; j++) {
    for (size_t i = 0; first[j] && i < k; i++) {
      double complex *const one = f + i * k + j, *const other = one + 1, difference = 0.5 * (*one - *other);
      *one = 0.5 * (*one + *other);
      *other = complex_of(cimag(difference), -creal(difference));
    }
  }
}

attcert_status spectrum_proposal_refine(double *size, spectrum_similarity *s, attcert_error *err) {
  const size_t k = s->size;
  double complex *f;
  couplings c = {0};
  double *real;
  const array_table arrays = {
      {ARRAY(f, k, k), ARRAY(c.re, k, k), ARRAY(c.im, k, k), ARRAY(c.group, k), ARRAY(real, k, k)}};
  const attcert_status status = array_table_allocate(&arrays, err, "a step towards eigenvectors of side %zu", k);
  if (status != ATTCERT_OK) return status;
  set_couplings(&c, s);
  group_rows(&c, k);
  *size = first_order_step(f, &c, k);
  to_real_basis(f, s->first, k);
  for (size_t i = 0; i < k * k; i++) real[i] = creal(f[i]);
  update_basis(s, real);
  array_table_release(&arrays);
  return status;
}
