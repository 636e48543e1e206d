#include "certify/jacobian/factored_jacobian_direction.h"

#include "base/arrays.h"
#include "certify/jacobian/structured_jacobian.h"
#include "linalg/rounding/norm_lower.h"

#include <stdlib.h>

/* ||fl(J~ u)||, rounded down. */
static attcert_status image_norm(double *norm, const factored_jacobian *m, const double *u, attcert_error *err) {
  const size_t rows = (size_t)m->n * (size_t)m->out_dim;
  structured_jacobian jacobian = {0};
  double *const y = array_new(rows, sizeof *y, err, "the image of a direction");
  if (y == NULL) return ATTCERT_RESOURCE;
  attcert_status status = structured_jacobian_init(&jacobian, m, 1, err);
  if (status == ATTCERT_OK) {
    structured_jacobian_multiply(&jacobian, y, u, 1, false);
    *norm = norm_lower(y, rows);
  }
  structured_jacobian_clear(&jacobian);
  free(y);
  return status;
}

attcert_status factored_jacobian_direction_lower(mpfr_t lower, const factored_jacobian *m,
                                                 const jacobian_errors *errors, const double *u, attcert_error *err) {
  double image = 0.0;
  const attcert_status status = image_norm(&image, m, u, err);
  mpfr_set_d(lower, image, MPFR_RNDD);
  mpfr_div_d(lower, lower, norm_upper(u, (size_t)m->n * (size_t)m->dim), MPFR_RNDD);
  mpfr_sub_d(lower, lower, errors->product, MPFR_RNDD);
  mpfr_sub_d(lower, lower, errors->radius, MPFR_RNDD);
  if (!(mpfr_number_p(lower) && mpfr_sgn(lower) > 0)) mpfr_set_zero(lower, 1);
  mpfr_mul_2si(lower, lower, m->exponent, MPFR_RNDD);
  return status;
}
