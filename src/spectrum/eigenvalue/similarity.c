#include "spectrum/eigenvalue/similarity.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_set.h"
#include "spectrum/eigenvalue/point_inverse.h"

#include <stdlib.h>

enum { MAGNITUDE_BITS = 64 }; /* of bounds, rounded upward */

attcert_status spectrum_similarity_init(spectrum_similarity *s, const interval *matrix, size_t size,
                                        attcert_error *err) {
  const size_t count = size * size;
  const mpfr_prec_t bits = mpfr_get_prec(matrix->lo);
  *s = (spectrum_similarity){.size = size};
  s->matrix = interval_vec_new(count, bits);
  s->basis = point_vec_new(count, bits);
  s->inverse = point_vec_new(count, bits);
  s->work = point_vec_new(count, bits);
  s->saved = point_vec_new(count, bits);
  s->image = interval_vec_new(count, bits);
  s->real = interval_vec_new(count, bits);
  s->imaginary = interval_vec_new(count, bits);
  s->row = mpfr_block_new(2 * size, MAGNITUDE_BITS);
  s->order = calloc(size, sizeof *s->order);
  s->first = calloc(size, sizeof *s->first);
  if (s->matrix == NULL || s->basis == NULL || s->inverse == NULL || s->work == NULL || s->image == NULL ||
      s->real == NULL || s->imaginary == NULL || s->row == NULL || s->order == NULL || s->first == NULL ||
      s->saved == NULL) {
    spectrum_similarity_clear(s);
    return array_out_of_memory(
        err, 4 * (uint64_t)interval_vec_bytes(count, bits) + 4 * (uint64_t)point_vec_bytes(count, bits),
        "a similarity of side %zu", size);
  }
  s->column = s->row + size;
  for (size_t i = 0; i < count; i++) interval_set(&s->matrix[i], &matrix[i]);
  return ATTCERT_OK;
}

void spectrum_similarity_clear(spectrum_similarity *s) {
  interval_vec_free(s->matrix);
  point_vec_free(s->basis);
  point_vec_free(s->inverse);
  point_vec_free(s->work);
  point_vec_free(s->saved);
  interval_vec_free(s->image);
  interval_vec_free(s->real);
  interval_vec_free(s->imaginary);
  mpfr_block_free(s->row);
  free(s->order);
  free(s->first);
  *s = (spectrum_similarity){0};
}

static mpfr_prec_t precision(const spectrum_similarity *s) {
  return mpfr_get_prec(s->matrix->lo);
}

/* Row j of (M X)^T. */
static void image_row(void *context, int index) {
  const spectrum_similarity *const s = context;
  const size_t k = s->size, j = (size_t)index;
  interval_scratch ws;
  interval_scratch_init(&ws, precision(s));
  for (size_t i = 0; i < k; i++) interval_dot_mixed(&s->image[j * k + i], s->matrix + i * k, s->basis + j * k, k, &ws);
  interval_scratch_clear(&ws);
}

/* Row i of C = Z (M X). */
static void similar_row(void *context, int index) {
  const spectrum_similarity *const s = context;
  const size_t k = s->size, i = (size_t)index;
  interval_scratch ws;
  interval_scratch_init(&ws, precision(s));
  for (size_t j = 0; j < k; j++) interval_dot_mixed(&s->real[i * k + j], s->image + j * k, s->inverse + i * k, k, &ws);
  interval_scratch_clear(&ws);
}

/* row[i] := sum_j |I - Z X|_ij. */
static void defect_row(void *context, int index) {
  const spectrum_similarity *const s = context;
  const size_t k = s->size, i = (size_t)index;
  interval_scratch ws;
  interval entry, one;
  mpfr_t magnitude;
  interval_scratch_init(&ws, precision(s));
  interval_init(&entry, precision(s));
  interval_init(&one, precision(s));
  mpfr_init2(magnitude, MAGNITUDE_BITS);
  for (size_t j = 0; j < k; j++) {
    interval_dot_points(&entry, s->inverse + i * k, s->basis + j * k, k, &ws);
    interval_set_si(&one, i == j ? 1 : 0);
    interval_sub(&entry, &one, &entry);
    interval_mag(magnitude, &entry);
    mpfr_add(s->row + i, s->row + i, magnitude, MPFR_RNDU);
  }
  mpfr_clear(magnitude);
  interval_clear(&one);
  interval_clear(&entry);
  interval_scratch_clear(&ws);
}

/* column[j] := max_i |C_ij|. */
static void bound_columns(const spectrum_similarity *s) {
  const size_t k = s->size;
  mpfr_t magnitude;
  mpfr_init2(magnitude, MAGNITUDE_BITS);
  for (size_t i = 0; i < k * k; i++) {
    interval_mag(magnitude, &s->real[i]);
    if (!mpfr_lessequal_p(magnitude, s->column + i % k)) mpfr_set(s->column + i % k, magnitude, MPFR_RNDU);
  }
  mpfr_clear(magnitude);
}

/* C_ij := C_ij + [-w, w], w >= g_i / (1 - g) column_j. False where not g < 1/2. */
static bool widen(spectrum_similarity *s) {
  const size_t k = s->size;
  mpfr_t largest, factor, width;
  mpfr_inits2(MAGNITUDE_BITS, largest, factor, width, (mpfr_ptr)0);
  mpfr_set_zero(largest, 1);
  bool below = true;
  for (size_t i = 0; i < k; i++) {
    below = below && mpfr_cmp_d(s->row + i, 0.5) < 0; /* not of NaN, which counts as equal */
    mpfr_max(largest, largest, s->row + i, MPFR_RNDU);
  }
  if (below) mpfr_d_sub(largest, 1.0, largest, MPFR_RNDD); /* at least 1/2 */
  for (size_t i = 0; below && i < k * k; i++) {
    mpfr_div(factor, s->row + i / k, largest, MPFR_RNDU);
    mpfr_mul(width, factor, s->column + i % k, MPFR_RNDU);
    mpfr_sub(s->real[i].lo, s->real[i].lo, width, MPFR_RNDD);
    mpfr_add(s->real[i].hi, s->real[i].hi, width, MPFR_RNDU);
  }
  mpfr_clears(largest, factor, width, (mpfr_ptr)0);
  return below;
}

/* (a, b) := (a + b, a - b) / 2^halves; t is scratch. */
static void sum_and_difference(interval *a, interval *b, long halves, interval *t) {
  interval_sub(t, a, b);
  interval_add(a, a, b);
  interval_scale_2exp(a, a, -halves);
  interval_scale_2exp(b, t, -halves);
}

static void swap(interval *a, interval *b, interval *t) {
  interval_set(t, a);
  interval_set(a, b);
  interval_set(b, t);
}

/* Columns j and j + 1 of the row times [1 1; i -i]: c + i c', c - i c'. */
static void combine_columns(interval *re, interval *im, interval *t) {
  swap(&re[1], &im[1], t); /* i c': real part -im c', imaginary part re c' */
  interval_neg(&re[1], &re[1]);
  sum_and_difference(&re[0], &re[1], 0, t);
  sum_and_difference(&im[0], &im[1], 0, t);
}

/* Rows i and i + 1 at one column: [1 -i; 1 i] / 2 times them, (r - i r') / 2, (r + i r') / 2. */
static void combine_rows(interval *re, interval *im, size_t k, interval *t) {
  swap(&re[k], &im[k], t); /* -i r': real part im r', imaginary part -re r' */
  interval_neg(&im[k], &im[k]);
  sum_and_difference(&re[0], &re[k], 1, t);
  sum_and_difference(&im[0], &im[k], 1, t);
}

static void combine_pairs(spectrum_similarity *s) {
  const size_t k = s->size;
  interval t;
  interval_init(&t, precision(s));
  for (size_t i = 0; i < k * k; i++) interval_set_zero(&s->imaginary[i]);
  for (size_t j = 0; j < k; j++) {
    for (size_t i = 0; s->first[j] && i < k; i++) combine_columns(s->real + i * k + j, s->imaginary + i * k + j, &t);
  }
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; s->first[i] && j < k; j++) combine_rows(s->real + i * k + j, s->imaginary + i * k + j, k, &t);
  }
  interval_clear(&t);
}

bool spectrum_similarity_enclose(spectrum_similarity *s) {
  const int k = (int)s->size, threads = parallel_threads(0);
  if (!spectrum_point_inverse(s->inverse, s->basis, s->work, s->order, s->size)) return false;
  parallel_for(k, threads, image_row, s);
  parallel_for(k, threads, similar_row, s);
  for (size_t i = 0; i < 2 * s->size; i++) mpfr_set_zero(s->row + i, 1);
  parallel_for(k, threads, defect_row, s);
  bound_columns(s);
  if (!widen(s)) return false;
  combine_pairs(s);
  return true;
}

void spectrum_similarity_save(spectrum_similarity *s) {
  for (size_t i = 0; i < s->size * s->size; i++) mpfr_set(s->saved[i].v, s->basis[i].v, MPFR_RNDN);
}

void spectrum_similarity_restore(spectrum_similarity *s) {
  for (size_t i = 0; i < s->size * s->size; i++) mpfr_set(s->basis[i].v, s->saved[i].v, MPFR_RNDN);
}
