/* As in score_eigenvalue.c, the nonzero eigenvalues of A are those of the k x k matrix B = Q K^T / sqrt(k):
 * B w = lambda w gives A (K^T w) = lambda K^T w. The singular vectors come from Lanczos. */
#include "search/worst_directions.h"

#include "base/arrays.h"
#include "base/lapack_memory.h"
#include "linalg/norm/euclidean_norm.h"
#include "linalg/operator/lanczos.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The head's rows of a weight. */
static const double *rows_of(const double *weight, const worst_directions *w) {
  return weight + (size_t)w->head * (size_t)w->layer->head_dim * (size_t)w->layer->dim;
}

/* y := W x or W^T x for the head's k x d part of a weight. */
static void apply_rows(double *y, const double *weight, const worst_directions *w, const double *x, bool transpose) {
  cblas_dgemv(CblasRowMajor, transpose ? CblasTrans : CblasNoTrans, w->layer->head_dim, w->layer->dim, 1.0,
              rows_of(weight, w), w->layer->dim, x, 1, 0.0, y, 1);
}

/* ---- A ----------------------------------------------------------------------------------------------------------- */

/* y := A x or A^T x, row by row of Q and K. */
static void multiply_score(double *y, const worst_directions *w, const double *x, bool transpose) {
  const attcert_layer *const l = w->layer;
  const double *const in = rows_of(transpose ? l->key_weight : l->query_weight, w);
  const double *const out = rows_of(transpose ? l->query_weight : l->key_weight, w);
  memset(y, 0, (size_t)l->dim * sizeof(double));
  for (int r = 0; r < l->head_dim; r++) {
    const size_t row = (size_t)r * (size_t)l->dim;
    const double s = cblas_ddot(l->dim, in + row, 1, x, 1) / sqrt((double)l->head_dim);
    cblas_daxpy(l->dim, s, out + row, 1, y, 1);
  }
}

void worst_score_map(double *g, const worst_directions *w, const double *x) {
  multiply_score(g, w, x, false);
}

static void apply_score(const void *context, double *y, const double *x, bool transpose) {
  multiply_score(y, context, x, transpose);
}

static attcert_status find_singular(worst_directions *w, attcert_error *err) {
  const linear_operator a = {w->layer->dim, w->layer->dim, apply_score, w};
  double norm;
  const attcert_status status = lanczos_top(w->vector[WORST_SINGULAR], &norm, &a, NULL, err);
  if (status != ATTCERT_OK) return status;
  w->value[WORST_SINGULAR] = norm;
  w->has[WORST_SINGULAR] = norm > 0.0 && isfinite(norm);
  return ATTCERT_OK;
}

/* ---- eigenvectors ------------------------------------------------------------------------------------------------ */

/* The eigenvector of B in this column, carried to A. */
static void take_eigenvector(worst_directions *w, worst_direction which, double value, const double *vectors,
                             int column) {
  const int k = w->layer->head_dim, d = w->layer->dim;
  double *const u = w->vector[which];
  cblas_dgemv(CblasRowMajor, CblasTrans, k, d, 1.0, rows_of(w->layer->key_weight, w), d, vectors + column, k, 0.0, u,
              1);
  w->value[which] = value;
  w->has[which] = euclidean_normalize(u, d);
}

/* Indices of the extreme real eigenvalues of each sign; -1 without one. */
static void extreme_eigenvalues(int index[2], const double *real, const double *imaginary, int k) {
  index[WORST_NEGATIVE] = index[WORST_POSITIVE] = -1;
  for (int i = 0; i < k; i++) {
    const worst_direction side = real[i] < 0.0 ? WORST_NEGATIVE : WORST_POSITIVE;
    if (imaginary[i] != 0.0 || real[i] == 0.0) continue;
    if (index[side] < 0 || fabs(real[i]) > fabs(real[index[side]])) index[side] = i;
  }
}

static attcert_status find_eigenvectors(worst_directions *w, attcert_error *err) {
  const int k = w->layer->head_dim, d = w->layer->dim;
  const size_t n = (size_t)k;
  double *b, *vectors, *real, *imaginary;
  const array_table arrays = {{ARRAY(b, n, n), ARRAY(vectors, n, n), ARRAY(real, n), ARRAY(imaginary, n)}};
  attcert_status status = array_table_allocate(&arrays, err, "an eigenvector of a matrix of side %d", k);
  if (status != ATTCERT_OK) return status;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, k, k, d, 1.0 / sqrt((double)k),
              rows_of(w->layer->query_weight, w), d, rows_of(w->layer->key_weight, w), d, 0.0, b, k);
  /* Infinite or failed: the head has no such start. */
  const lapack_int info = LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', k, b, k, real, imaginary, NULL, k, vectors, k);
  if (lapack_lacks_memory(info)) {
    status = array_out_of_memory(err, 0, "the eigenvectors of a matrix of side %d", k);
  } else if (info == 0) {
    int index[2];
    extreme_eigenvalues(index, real, imaginary, k);
    for (int side = 0; side < 2; side++) {
      if (index[side] >= 0) take_eigenvector(w, (worst_direction)side, real[index[side]], vectors, index[side]);
    }
  }
  array_table_release(&arrays);
  return status;
}

attcert_status worst_directions_init(worst_directions *w, const attcert_layer *layer, int head, attcert_error *err) {
  const size_t d = (size_t)layer->dim;
  *w = (worst_directions){.layer = layer, .head = head};
  double *const storage = array_new(WORST_DIRECTIONS * d, sizeof *storage, err, "a head's list of directions");
  if (storage == NULL) return ATTCERT_RESOURCE;
  for (size_t i = 0; i < WORST_DIRECTIONS; i++) w->vector[i] = storage + i * d;
  attcert_status status = find_eigenvectors(w, err);
  if (status == ATTCERT_OK) status = find_singular(w, err);
  if (status != ATTCERT_OK) worst_directions_clear(w);
  return status;
}

void worst_directions_clear(worst_directions *w) {
  free(w->vector[0]);
  *w = (worst_directions){0};
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

typedef struct {
  const worst_directions *w;
  const double *orthogonal; /* g, unit */
  double *inner, *token;    /* scratch: k and d */
} value_map;

static void remove_component(double *y, const double *x, const double *g, int d) {
  memcpy(y, x, (size_t)d * sizeof(double));
  cblas_daxpy(d, -cblas_ddot(d, g, 1, x, 1), g, 1, y, 1);
}

/* y := W_h V_h (I - g g^T) x or its transpose; W_h is the head's columns of W_O. */
static void apply_value(const void *context, double *y, const double *x, bool transpose) {
  const value_map *const f = context;
  const attcert_layer *const l = f->w->layer;
  const int width = l->heads * l->head_dim;
  const double *const output = l->output_weight != NULL ? l->output_weight + f->w->head * l->head_dim : NULL;
  if (!transpose) {
    remove_component(f->token, x, f->orthogonal, l->dim);
    apply_rows(output != NULL ? f->inner : y, l->value_weight, f->w, f->token, false);
    if (output == NULL) return;
    cblas_dgemv(CblasRowMajor, CblasNoTrans, l->out_dim, l->head_dim, 1.0, output, width, f->inner, 1, 0.0, y, 1);
    return;
  }
  if (output != NULL)
    cblas_dgemv(CblasRowMajor, CblasTrans, l->out_dim, l->head_dim, 1.0, output, width, x, 1, 0.0, f->inner, 1);
  apply_rows(f->token, l->value_weight, f->w, output != NULL ? f->inner : x, true);
  remove_component(y, f->token, f->orthogonal, l->dim);
}

attcert_status worst_value_direction(double *e, bool *found, const worst_directions *w, const double *g,
                                     attcert_error *err) {
  value_map f = {.w = w, .orthogonal = g};
  double sigma = 0.0;
  const array_table arrays = {{ARRAY(f.inner, (size_t)w->layer->head_dim), ARRAY(f.token, (size_t)w->layer->dim)}};
  attcert_status status = array_table_allocate(&arrays, err, "a direction in dimension %d", w->layer->dim);
  *found = false;
  if (status == ATTCERT_OK) {
    const linear_operator value = {w->layer->output_weight != NULL ? w->layer->out_dim : w->layer->head_dim,
                                   w->layer->dim, apply_value, &f};
    status = lanczos_top(e, &sigma, &value, NULL, err);
  }
  if (status == ATTCERT_OK && sigma > 0.0 && isfinite(sigma)) {
    remove_component(f.token, e, g, w->layer->dim); /* Lanczos starts from a vector that is not orthogonal to g */
    memcpy(e, f.token, (size_t)w->layer->dim * sizeof(double));
    *found = euclidean_norm(e, w->layer->dim) > 0.5 && euclidean_normalize(e, w->layer->dim);
  }
  array_table_release(&arrays);
  return status;
}
