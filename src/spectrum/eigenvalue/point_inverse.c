/* Works in place on A = X^T; `order` stands for the exchanges of rows: row i of the algorithm is row order[i] of the
 * array. What is left is (P A)^-1, P the exchanges, and A^-1 = (X^-1)^T. */
#include "spectrum/eigenvalue/point_inverse.h"

static bool choose_pivot(size_t *order, const point *a, size_t c, size_t k) {
  size_t best = c;
  for (size_t i = c + 1; i < k; i++) {
    if (mpfr_cmpabs(a[order[i] * k + c].v, a[order[best] * k + c].v) > 0) best = i;
  }
  const size_t row = order[best];
  order[best] = order[c];
  order[c] = row;
  return mpfr_regular_p(a[row * k + c].v) != 0;
}

/* row := row - row_c times its entry c; t is scratch. */
static void eliminate(point *row, const point *pivot_row, size_t c, size_t k, mpfr_ptr factor, mpfr_ptr t) {
  if (mpfr_zero_p(row[c].v)) return;
  mpfr_set(factor, row[c].v, MPFR_RNDN);
  mpfr_set_zero(row[c].v, 1);
  for (size_t j = 0; j < k; j++) {
    mpfr_mul(t, factor, pivot_row[j].v, MPFR_RNDN);
    mpfr_sub(row[j].v, row[j].v, t, MPFR_RNDN);
  }
}

static void divide_by_pivot(point *row, size_t c, size_t k, mpfr_ptr factor) {
  mpfr_ui_div(factor, 1, row[c].v, MPFR_RNDN);
  mpfr_set_ui(row[c].v, 1, MPFR_RNDN);
  for (size_t j = 0; j < k; j++) mpfr_mul(row[j].v, row[j].v, factor, MPFR_RNDN);
}

bool spectrum_point_inverse(point *inverse, const point *columns, point *work, size_t *order, size_t k) {
  mpfr_t factor, t;
  mpfr_inits2(mpfr_get_prec(inverse->v), factor, t, (mpfr_ptr)0);
  for (size_t i = 0; i < k * k; i++) mpfr_set(work[i].v, columns[i].v, MPFR_RNDN);
  for (size_t i = 0; i < k; i++) order[i] = i;
  bool regular = true;
  for (size_t c = 0; regular && c < k; c++) {
    regular = choose_pivot(order, work, c, k);
    if (!regular) break;
    divide_by_pivot(work + order[c] * k, c, k, factor);
    for (size_t i = 0; i < k; i++) {
      if (i != c) eliminate(work + order[i] * k, work + order[c] * k, c, k, factor, t);
    }
  }
  for (size_t i = 0; regular && i < k; i++) {
    for (size_t j = 0; j < k; j++) mpfr_set(inverse[order[j] * k + i].v, work[order[i] * k + j].v, MPFR_RNDN);
  }
  mpfr_clears(factor, t, (mpfr_ptr)0);
  return regular;
}
