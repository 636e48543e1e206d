#include "exact_region.h"

#include <gmp.h>

/* Whether sum (x_k - c_k)^2 <= radius^2 over `count` numbers, or sum |x_k - c_k| <= radius; c may be NULL. */
static bool within(const double *x, const double *c, size_t count, double radius, bool sum_of_sizes) {
  mpq_t sum, t;
  mpq_inits(sum, t, NULL);
  for (size_t k = 0; k < count; k++) {
    mpq_t middle;
    mpq_init(middle);
    mpq_set_d(t, x[k]);
    if (c != NULL) mpq_set_d(middle, c[k]);
    mpq_sub(t, t, middle);
    if (sum_of_sizes)
      mpq_abs(t, t);
    else
      mpq_mul(t, t, t);
    mpq_add(sum, sum, t);
    mpq_clear(middle);
  }
  mpq_set_d(t, radius);
  if (!sum_of_sizes) mpq_mul(t, t, t);
  const bool inside = mpq_cmp(sum, t) <= 0;
  mpq_clears(sum, t, NULL);
  return inside;
}

static bool within_box(const attcert_matrix *x, const ball_box *box) {
  bool inside = true;
  for (size_t k = 0; k < (size_t)x->rows * (size_t)x->cols; k++)
    inside = inside && x->data[k] >= box->least[k] && x->data[k] <= box->most[k];
  return inside;
}

bool exact_region_holds(const attcert_matrix *x, const attcert_matrix *centre, const ball_region *region) {
  const size_t n = (size_t)x->rows, d = (size_t)x->cols;
  const size_t part[BALL_KINDS] = {
      [BALL_SEQUENCE] = n * d, [BALL_TOKEN] = d, [BALL_ENTRY] = 1, [BALL_SEQUENCE_SUM] = n * d, [BALL_TOKEN_SUM] = d};
  const bool sum = region->kind == BALL_SEQUENCE_SUM || region->kind == BALL_TOKEN_SUM;
  const double *const c = centre != NULL ? centre->data : NULL;
  bool inside = true;
  if (region->box != NULL) return within_box(x, region->box);
  for (size_t at = 0; at < n * d; at += part[region->kind])
    inside = inside && within(x->data + at, c != NULL ? c + at : NULL, part[region->kind], region->radius, sum);
  for (size_t at = 0; at < n * d; at++) {
    if (!ball_region_moves(region, (int)(at / d)) || (region->entries != NULL && !region->entries[at]))
      inside = inside && x->data[at] == (c != NULL ? c[at] : 0.0);
  }
  return inside;
}
