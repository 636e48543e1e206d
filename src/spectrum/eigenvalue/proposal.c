#include "spectrum/eigenvalue/proposal.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "base/uniform.h"
#include "interval/interval_convert.h"

#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

static void midpoints(double *mid, const interval *a, size_t count) {
  interval_scratch ws;
  double radius;
  interval_scratch_init(&ws, mpfr_get_prec(a->lo));
  for (size_t i = 0; i < count; i++) interval_get_midrad(&mid[i], &radius, &a[i], &ws);
  interval_scratch_clear(&ws);
}

/* vectors: k x k, of LAPACK, in columns. */
static bool take_basis(spectrum_similarity *s, const double *vectors, const double *imaginary) {
  const size_t k = s->size;
  bool finite = true;
  for (size_t i = 0; i < k * k; i++) finite = finite && isfinite(vectors[i]);
  for (size_t j = 0; finite && j < k; j++) {
    s->first[j] = imaginary[j] > 0.0 && j + 1 < k;
    for (size_t i = 0; i < k; i++) mpfr_set_d(s->basis[j * k + i].v, vectors[i * k + j], MPFR_RNDN);
  }
  return finite;
}

attcert_status spectrum_proposal(bool *found, spectrum_similarity *s, double perturbation, attcert_error *err) {
  const size_t k = s->size;
  const lapack_int n = (lapack_int)k;
  double *a, *re, *im, *vectors;
  const array_table arrays = {{ARRAY(a, k, k), ARRAY(re, k), ARRAY(im, k), ARRAY(vectors, k, k)}};
  *found = false;
  const attcert_status status = array_table_allocate(&arrays, err, "eigenvectors of a matrix of side %zu", k);
  if (status != ATTCERT_OK) return status;
  midpoints(a, s->matrix, k * k);
  for (size_t i = 0; i < k * k; i++) a[i] += perturbation * uniform_entry(i);
  const lapack_int info = LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', n, a, n, re, im, NULL, n, vectors, n);
  *found = info == 0 && take_basis(s, vectors, im);
  array_table_release(&arrays);
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
    return array_out_of_memory(err, 0, "LAPACK's work on a matrix of side %zu", k);
  return ATTCERT_OK;
}

/* f := F; returns its largest modulus. */
static double first_order_step(double complex *f, const double *re, const double *im, size_t k) {
  static const double small = 0.125;
  double largest = 0.0;
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j < k; j++) {
      const size_t ij = i * k + j, ji = j * k + i, ii = i * k + i, jj = j * k + j;
      const double complex gap = CMPLX(re[jj] - re[ii], im[jj] - im[ii]);
      const double coupling = fmax(hypot(re[ij], im[ij]), hypot(re[ji], im[ji]));
      f[ij] = i != j && coupling < small * cabs(gap) ? CMPLX(re[ij], im[ij]) / gap : 0.0;
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
      *other = CMPLX(-cimag(difference), creal(difference));
    }
  }
  for (size_t j = 0; j < k; j++) {
    for (size_t i = 0; first[j] && i < k; i++) {
      double complex *const one = f + i * k + j, *const other = one + 1, difference = 0.5 * (*one - *other);
      *one = 0.5 * (*one + *other);
      *other = CMPLX(cimag(difference), -creal(difference));
    }
  }
}

typedef struct {
  spectrum_similarity *s;
  const double complex *f;
} update;

/* Row j of (X F)^T, into work. */
static void update_row(void *context, int index) {
  const update *const u = context;
  const size_t k = u->s->size, j = (size_t)index;
  point *const row = u->s->work + j * k;
  mpfr_t t;
  mpfr_init2(t, mpfr_get_prec(row->v));
  for (size_t c = 0; c < k; c++) mpfr_set(row[c].v, u->s->basis[j * k + c].v, MPFR_RNDN);
  for (size_t i = 0; i < k; i++) {
    const double factor = creal(u->f[i * k + j]);
    for (size_t c = 0; factor != 0.0 && c < k; c++) {
      mpfr_mul_d(t, u->s->basis[i * k + c].v, factor, MPFR_RNDN);
      mpfr_add(row[c].v, row[c].v, t, MPFR_RNDN);
    }
  }
  mpfr_clear(t);
}

attcert_status spectrum_proposal_refine(double *size, spectrum_similarity *s, attcert_error *err) {
  const size_t k = s->size;
  double complex *f;
  double *re, *im;
  const array_table arrays = {{ARRAY(f, k, k), ARRAY(re, k, k), ARRAY(im, k, k)}};
  const attcert_status status = array_table_allocate(&arrays, err, "a step towards eigenvectors of side %zu", k);
  if (status != ATTCERT_OK) return status;
  midpoints(re, s->real, k * k);
  midpoints(im, s->imaginary, k * k);
  *size = first_order_step(f, re, im, k);
  to_real_basis(f, s->first, k);
  update u = {s, f};
  parallel_for((int)k, parallel_threads(0), update_row, &u);
  point *const basis = s->basis;
  s->basis = s->work;
  s->work = basis;
  array_table_release(&arrays);
  return ATTCERT_OK;
}
