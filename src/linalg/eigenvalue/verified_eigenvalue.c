/* S. M. Rump, Guaranteed inclusions for the complex generalized eigenproblem, Computing 42 (1989), for one real pair.
 *
 * Scale the proposed w to w_s = 1, its largest entry, and keep that entry fixed: the unknowns are lambda, in place
 * of w_s, and the other w_i. With F = M w - lambda w, its derivative J at the proposal (column j is (M - lambda) e_j,
 * column s is -w) and any matrix C, the map delta -> -C F + (I - C J) delta + C (delta_lambda delta_w) has a fixed
 * point where, and for nonsingular C only where, M (w + delta_w) = (lambda + delta_lambda) (w + delta_w). It maps the
 * box |delta| <= r into
 *     |C F| + |I - C J| r + |C| (r_s r_i)_{i != s} =: t,
 * so t < r gives a fixed point (Brouwer), in the box of t; and |I - C J| r < r makes C nonsingular. */
#include "linalg/eigenvalue/verified_eigenvalue.h"

#include "base/arrays.h"
#include "base/lapack_memory.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "linalg/rounding/rounding.h"

#include <lapacke.h>
#include <math.h>

enum { PRECISION = 128 }; /* bits of the residual and of I - C J */

/* Of the box: r_s r_i does not underflow, which C would multiply. */
static const double LEAST_RADIUS = 0x1p-200;

typedef struct {
  size_t size, fixed; /* k and s */
  double lambda;
  double *w;           /* the proposal */
  double *inverse;     /* C, k x k */
  double *defect;      /* >= |I - C J| */
  double *newton;      /* >= |C F| */
  double *box, *image; /* r and t */
  lapack_int *pivots;  /* of C's factorisation */
  point *row, *value;  /* rows of C; w */
  interval *residual;  /* F */
  interval *column;    /* one column of J */
  interval lambda_point, entry;
  interval_scratch ws;
} eigenpair;

static array_table arrays_of(eigenpair *p, size_t size) {
  return (array_table){{
      ARRAY(p->w, size),
      ARRAY(p->inverse, size, size),
      ARRAY(p->defect, size, size),
      ARRAY(p->newton, size),
      ARRAY(p->box, size),
      ARRAY(p->image, size),
      ARRAY(p->pivots, size),
  }};
}

static attcert_status eigenpair_init(eigenpair *p, size_t size, attcert_error *err) {
  *p = (eigenpair){.size = size};
  p->row = point_vec_new(size * size, PRECISION);
  p->value = point_vec_new(size, PRECISION);
  p->residual = interval_vec_new(size, PRECISION);
  p->column = interval_vec_new(size, PRECISION);
  interval_init(&p->lambda_point, PRECISION);
  interval_init(&p->entry, PRECISION);
  interval_scratch_init(&p->ws, PRECISION);
  const array_table arrays = arrays_of(p, size);
  const attcert_status status = array_table_allocate(&arrays, err, "an eigenvalue of a matrix of side %zu", size);
  if (status != ATTCERT_OK || (p->row != NULL && p->value != NULL && p->residual != NULL && p->column != NULL))
    return status;
  const uint64_t bytes =
      (uint64_t)point_vec_bytes(size * size + size, PRECISION) + (uint64_t)interval_vec_bytes(2 * size, PRECISION);
  return array_out_of_memory(err, bytes, "an enclosed eigenvector of %zu entries", size);
}

static void eigenpair_clear(eigenpair *p) {
  const array_table arrays = arrays_of(p, 0);
  array_table_release(&arrays);
  point_vec_free(p->row);
  point_vec_free(p->value);
  interval_vec_free(p->residual);
  interval_vec_free(p->column);
  interval_clear(&p->lambda_point);
  interval_clear(&p->entry);
  interval_scratch_clear(&p->ws);
}

/* Takes the proposal over, w_s = 1 exactly: false when it is no vector of numbers. */
static bool set_proposal(eigenpair *p, double guess, const double *vector) {
  for (size_t i = 0; i < p->size; i++) {
    if (fabs(vector[i]) > fabs(vector[p->fixed])) p->fixed = i;
  }
  p->lambda = guess;
  bool finite = isfinite(guess);
  for (size_t i = 0; i < p->size; i++) {
    p->w[i] = vector[i] / vector[p->fixed];
    finite = finite && isfinite(p->w[i]);
  }
  interval_set_d(&p->lambda_point, guess);
  point_vec_set_d(p->value, p->w, p->size);
  return finite;
}

/* column := J e_j. */
static void derivative_column(eigenpair *p, const interval *m, size_t j) {
  for (size_t i = 0; i < p->size; i++) {
    interval *const entry = &p->column[i];
    if (j == p->fixed) {
      interval_set_d(entry, -p->w[i]);
    } else {
      interval_set(entry, &m[i * p->size + j]);
      if (i == j) interval_sub(entry, entry, &p->lambda_point);
    }
  }
}

/* C, about J^{-1}; not *inverted when LAPACK finds J singular. */
static attcert_status invert_derivative(bool *inverted, eigenpair *p, const interval *m, attcert_error *err) {
  const size_t k = p->size;
  double radius;
  for (size_t j = 0; j < k; j++) {
    derivative_column(p, m, j);
    for (size_t i = 0; i < k; i++) interval_get_midrad(&p->inverse[i * k + j], &radius, &p->column[i], &p->ws);
  }
  const lapack_int n = (lapack_int)k;
  lapack_int info = LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, p->inverse, n, p->pivots);
  if (info == 0) info = LAPACKE_dgetri(LAPACK_ROW_MAJOR, n, p->inverse, n, p->pivots);
  *inverted = info == 0;
  for (size_t i = 0; i < k * k; i++) *inverted = *inverted && isfinite(p->inverse[i]);
  if (*inverted) point_vec_set_d(p->row, p->inverse, k * k);
  return lapack_lacks_memory(info) ? array_out_of_memory(err, 0, "the inverse of a matrix of side %zu", k) : ATTCERT_OK;
}

/* A double >= |x| for x in the interval. */
static double magnitude(const interval *a) {
  return fmax(-interval_get_d_lower(a), interval_get_d_upper(a));
}

/* residual := F = M w - lambda w, newton := |C F|. */
static void newton_step(eigenpair *p, const interval *m) {
  const size_t k = p->size;
  for (size_t i = 0; i < k; i++) {
    interval_dot_mixed(&p->residual[i], m + i * k, p->value, k, &p->ws);
    interval_set_d(&p->entry, -p->w[i]);
    interval_fma(&p->residual[i], &p->entry, &p->lambda_point, &p->residual[i], &p->ws);
  }
  for (size_t i = 0; i < k; i++) {
    interval_dot_mixed(&p->entry, p->residual, p->row + i * k, k, &p->ws);
    p->newton[i] = magnitude(&p->entry);
  }
}

/* defect := |I - C J|. */
static void inverse_defect(eigenpair *p, const interval *m) {
  const size_t k = p->size;
  for (size_t j = 0; j < k; j++) {
    derivative_column(p, m, j);
    for (size_t i = 0; i < k; i++) {
      interval_dot_mixed(&p->entry, p->column, p->row + i * k, k, &p->ws);
      interval_set_d(&p->ws.q, i == j ? 1.0 : 0.0);
      interval_sub(&p->entry, &p->ws.q, &p->entry);
      p->defect[i * k + j] = magnitude(&p->entry);
    }
  }
}

/* image := t, rounded up: true when t < r in every entry. */
static bool map_box(eigenpair *p) {
  const size_t k = p->size;
  bool inside = true;
  for (size_t i = 0; i < k; i++) {
    double sum = p->newton[i];
    for (size_t j = 0; j < k; j++) {
      sum += p->defect[i * k + j] * p->box[j];
      if (j != p->fixed) sum += fabs(p->inverse[i * k + j]) * (p->box[p->fixed] * p->box[j]);
    }
    p->image[i] = round_up_nonnegative(sum, 2.0 * (double)k + 3.0);
    inside = inside && p->image[i] < p->box[i];
  }
  return inside;
}

/* Inflates the box until it is mapped into itself: a few steps, or never. */
static bool verify(eigenpair *p) {
  enum { STEPS = 8 };
  for (size_t i = 0; i < p->size; i++) p->box[i] = 2.0 * p->newton[i] + LEAST_RADIUS;
  for (int step = 0; step < STEPS; step++) {
    if (map_box(p)) return true;
    for (size_t i = 0; i < p->size; i++) p->box[i] = 1.5 * p->image[i] + LEAST_RADIUS;
  }
  return false;
}

attcert_status verified_eigenvalue(bool *verified, interval *lambda, const interval *m, int size, double guess,
                                   const double *vector, attcert_error *err) {
  eigenpair p;
  bool inverted = false;
  *verified = false;
  attcert_status status = eigenpair_init(&p, (size_t)size, err);
  if (status == ATTCERT_OK && set_proposal(&p, guess, vector)) status = invert_derivative(&inverted, &p, m, err);
  if (status == ATTCERT_OK && inverted) {
    newton_step(&p, m);
    inverse_defect(&p, m);
    *verified = verify(&p);
  }
  if (*verified) {
    interval_set_d(lambda, p.image[p.fixed]);
    mpfr_neg(lambda->lo, lambda->hi, MPFR_RNDD);
    interval_add(lambda, lambda, &p.lambda_point);
  }
  eigenpair_clear(&p);
  return status;
}
