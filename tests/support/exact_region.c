#include "exact_region.h"

#include <gmp.h>

/* Whether sum (x_k - c_k)^2 <= radius^2 over `count` numbers; c may be NULL. */
static bool within(const double *x, const double *c, size_t count, double radius) {
  mpq_t sum, t;
  mpq_inits(sum, t, NULL);
  for (size_t k = 0; k < count; k++) {
    mpq_t middle;
    mpq_init(middle);
    mpq_set_d(t, x[k]);
    if (c != NULL) mpq_set_d(middle, c[k]);
    mpq_sub(t, t, middle);
    mpq_mul(t, t, t);
    mpq_add(sum, sum, t);
    mpq_clear(middle);
  }
  mpq_set_d(t, radius);
  mpq_mul(t, t, t);
  const bool inside = mpq_cmp(sum, t) <= 0;
  mpq_clears(sum, t, NULL);
  return inside;
}

bool exact_region_holds(const attcert_matrix *x, const attcert_matrix *centre, const ball_region *region) {
  const size_t n = (size_t)x->rows, d = (size_t)x->cols;
  const size_t part[BALL_KINDS] = {[BALL_SEQUENCE] = n * d, [BALL_TOKEN] = d, [BALL_ENTRY] = 1};
  const double *const c = centre != NULL ? centre->data : NULL;
  bool inside = true;
  for (size_t at = 0; at < n * d; at += part[region->kind])
    inside = inside && within(x->data + at, c != NULL ? c + at : NULL, part[region->kind], region->radius);
  for (size_t i = 0; i < n; i++) {
    if (!ball_region_moves(region, (int)i))
      inside = inside && within(x->data + i * d, c != NULL ? c + i * d : NULL, d, 0.0);
  }
  return inside;
}
