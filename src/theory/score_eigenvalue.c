/* The nonzero eigenvalues of A = K^T Q / sqrt(k), with real eigenvectors for real ones, are those of the k x k matrix
 * B = Q K^T / sqrt(k): B w = lambda w gives A (K^T w) = lambda K^T w. LAPACK proposes them,
 * verified_eigenvalue verifies. */
#include "theory/score_eigenvalue.h"

#include "base/arrays.h"
#include "base/lapack_memory.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "linalg/eigenvalue/verified_eigenvalue.h"
#include "linalg/rounding/binary_exponent.h"
#include "theory/layer_norms.h"

#include <lapacke.h>
#include <math.h>

typedef struct {
  int size;         /* k */
  interval *matrix; /* B / 2^exponent */
  long exponent;
  double *midpoint, *real, *imaginary, *vectors; /* LAPACK's proposals; vectors in columns */
  interval_scratch ws;
} score_matrix;

static array_table arrays_of(score_matrix *b, size_t k) {
  return (array_table){{
      ARRAY(b->midpoint, k, k),
      ARRAY(b->real, k),
      ARRAY(b->imaginary, k),
      ARRAY(b->vectors, k, k),
  }};
}

static attcert_status score_matrix_init(score_matrix *b, int size, attcert_error *err) {
  const size_t k = (size_t)size;
  *b = (score_matrix){.size = size, .matrix = interval_vec_new(k * k, THEORY_PRECISION)};
  interval_scratch_init(&b->ws, THEORY_PRECISION);
  const array_table arrays = arrays_of(b, k);
  const attcert_status status = array_table_allocate(&arrays, err, "an eigenvalue of a matrix of side %d", size);
  if (status != ATTCERT_OK || b->matrix != NULL) return status;
  return array_out_of_memory(err, interval_vec_bytes(k * k, THEORY_PRECISION), "a matrix of side %d in intervals",
                             size);
}

static void score_matrix_clear(score_matrix *b) {
  interval_vec_free(b->matrix);
  const array_table arrays = arrays_of(b, 0);
  array_table_release(&arrays);
  interval_scratch_clear(&b->ws);
}

/* Q K^T, whose entries need exact products of doubles and may have any exponent. */
static attcert_status multiply_query_key(score_matrix *b, const attcert_layer *layer, attcert_error *err) {
  const size_t k = (size_t)b->size, d = (size_t)layer->dim;
  point *const query = point_vec_new(d, THEORY_PRECISION), *const key = point_vec_new(k * d, THEORY_PRECISION);
  const bool allocated = query != NULL && key != NULL;
  if (allocated) point_vec_set_d(key, layer->key_weight, k * d);
  for (size_t i = 0; allocated && i < k; i++) {
    point_vec_set_d(query, layer->query_weight + i * d, d);
    for (size_t j = 0; j < k; j++) interval_dot_points(&b->matrix[i * k + j], query, key + j * d, d, &b->ws);
  }
  point_vec_free(query);
  point_vec_free(key);
  if (allocated) return ATTCERT_OK;
  return array_out_of_memory(err, point_vec_bytes(k * d + d, THEORY_PRECISION), "a product of two %d x %d matrices",
                             layer->head_dim, layer->dim);
}

/* Divides by sqrt(k) and by the power of two that brings the entries to 1 and less. */
static void scale_score_matrix(score_matrix *b) {
  const size_t count = (size_t)b->size * (size_t)b->size;
  interval root;
  interval_init(&root, THEORY_PRECISION);
  interval_set_si(&root, b->size);
  interval_sqrt(&root, &root);
  b->exponent = EXPONENT_OF_ZERO;
  for (size_t i = 0; i < count; i++) {
    interval_div(&b->matrix[i], &b->matrix[i], &root, &b->ws);
    b->exponent = exponent_max(b->exponent, exponent_of_interval(&b->matrix[i]));
  }
  interval_clear(&root);
  for (size_t i = 0; b->exponent != EXPONENT_OF_ZERO && i < count; i++) {
    double radius;
    interval_scale_2exp(&b->matrix[i], &b->matrix[i], -b->exponent);
    interval_get_midrad(&b->midpoint[i], &radius, &b->matrix[i], &b->ws);
  }
}

static double gamma_of(double lambda) {
  return fmax(-lambda, lambda / 8.0);
}

/* Index of the real eigenvalue, not yet tried, of largest gamma; -1 when none has a positive one. */
static int best_proposal(const score_matrix *b, const bool *tried) {
  int best = -1;
  for (int i = 0; i < b->size; i++) {
    if (tried[i] || b->imaginary[i] != 0.0 || !(gamma_of(b->real[i]) > 0.0)) continue;
    if (best < 0 || gamma_of(b->real[i]) > gamma_of(b->real[best])) best = i;
  }
  return best;
}

/* gamma := max(-lambda, lambda / 8), scaled back; vector is scratch of k doubles. */
static attcert_status try_proposal(bool *found, interval *gamma, score_matrix *b, int index, double *vector,
                                   attcert_error *err) {
  const size_t k = (size_t)b->size;
  interval lambda;
  interval_init(&lambda, THEORY_PRECISION);
  for (size_t i = 0; i < k; i++) vector[i] = b->vectors[i * k + (size_t)index];
  const attcert_status status = verified_eigenvalue(found, &lambda, b->matrix, b->size, b->real[index], vector, err);
  if (*found) {
    interval_neg(gamma, &lambda);
    interval_scale_2exp(&lambda, &lambda, -3);
    interval_max(gamma, gamma, &lambda);
    interval_scale_2exp(gamma, gamma, b->exponent);
  }
  interval_clear(&lambda);
  return status;
}

static attcert_status verify_best(bool *found, interval *gamma, score_matrix *b, attcert_error *err) {
  enum { ATTEMPTS = 8 }; /* each costs k^3 interval operations */
  const lapack_int k = (lapack_int)b->size;
  if (b->exponent == EXPONENT_OF_ZERO) return ATTCERT_OK;
  const lapack_int info =
      LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', k, b->midpoint, k, b->real, b->imaginary, NULL, k, b->vectors, k);
  if (lapack_lacks_memory(info)) return array_out_of_memory(err, 0, "the eigenvalues of a matrix of side %d", b->size);
  if (info != 0) return ATTCERT_OK;
  bool *tried;
  double *vector;
  const array_table arrays = {{ARRAY(tried, (size_t)b->size), ARRAY(vector, (size_t)b->size)}};
  attcert_status status = array_table_allocate(&arrays, err, "an eigenvector of %d entries", b->size);
  for (int attempt = 0; status == ATTCERT_OK && !*found && attempt < ATTEMPTS; attempt++) {
    const int index = best_proposal(b, tried);
    if (index < 0) break;
    tried[index] = true;
    status = try_proposal(found, gamma, b, index, vector, err);
  }
  array_table_release(&arrays);
  return status;
}

attcert_status score_eigenvalue_gamma(bool *found, interval *gamma, const attcert_layer *layer, attcert_error *err) {
  score_matrix b;
  *found = false;
  attcert_status status = score_matrix_init(&b, layer->head_dim, err);
  if (status == ATTCERT_OK) status = multiply_query_key(&b, layer, err);
  if (status == ATTCERT_OK) {
    scale_score_matrix(&b);
    status = verify_best(found, gamma, &b, err);
  }
  score_matrix_clear(&b);
  return status;
}
