#include "certify/explicit/explicit_gram_guess.h"

#include "base/arrays.h"
#include "linalg/exact/integer_cholesky_curvature.h"

#include <stdlib.h>

enum { GUESS_PRECISION = 128 };

/* Relative: more than the roundings of an estimate in double. */
static const double DISTINCT = 1e-13;

void explicit_gram_first_guess(mpfr_ptr guess, mpfr_srcptr upper, int n) {
  if (mpfr_sgn(guess) <= 0) mpfr_div_ui(guess, upper, 2 * (unsigned long)n, MPFR_RNDU);
}

attcert_status explicit_gram_improve_guess(mpfr_ptr guess, bool *improved, const integer_cholesky *f,
                                           const explicit_gram_guess *better, attcert_error *err) {
  *improved = false;
  if (better == NULL || f->failed == f->l.rows) return ATTCERT_OK;
  double *const w = array_new(f->l.rows, sizeof *w, err, "a direction of the Gram matrix");
  if (w == NULL) return ATTCERT_RESOURCE;
  mpfr_t found, least;
  mpfr_inits2(GUESS_PRECISION, found, least, (mpfr_ptr)0);
  mpfr_set_zero(found, 1);
  attcert_status status = ATTCERT_OK;
  if (integer_cholesky_curvature(w, f)) status = better->improve(better->context, found, w, err);
  mpfr_mul_d(least, guess, 1.0 + DISTINCT, MPFR_RNDU);
  *improved = status == ATTCERT_OK && mpfr_number_p(found) && mpfr_cmp(found, least) > 0;
  if (*improved) mpfr_set(guess, found, MPFR_RNDN);
  mpfr_clears(found, least, (mpfr_ptr)0);
  free(w);
  return status;
}
