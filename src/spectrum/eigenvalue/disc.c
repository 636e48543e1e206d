#include "spectrum/eigenvalue/disc.h"

#include <float.h>
#include <math.h>

void spectrum_disc_init(spectrum_disc *d) {
  mpfr_inits2(53, d->re, d->im, d->radius, (mpfr_ptr)0);
  mpfr_set_zero(d->re, 1);
  mpfr_set_zero(d->im, 1);
  mpfr_set_zero(d->radius, 1);
  d->multiplicity = 0;
}

void spectrum_disc_clear(spectrum_disc *d) {
  mpfr_clears(d->re, d->im, d->radius, (mpfr_ptr)0);
}

void spectrum_disc_set(spectrum_disc *d, const spectrum_disc *from) {
  mpfr_set(d->re, from->re, MPFR_RNDN);
  mpfr_set(d->im, from->im, MPFR_RNDN);
  mpfr_set(d->radius, from->radius, MPFR_RNDU);
  d->multiplicity = from->multiplicity;
}

/* Rounding to 53 bits moves a coordinate by at most 2^-53 of it, to 17 decimal digits by less than 2^-54 of it. */
void spectrum_disc_set_rounded(spectrum_disc *d, mpfr_srcptr re, mpfr_srcptr im, mpfr_srcptr radius) {
  mpfr_t moved, part;
  mpfr_inits2(53, moved, part, (mpfr_ptr)0);
  mpfr_abs(moved, re, MPFR_RNDU);
  mpfr_abs(part, im, MPFR_RNDU);
  mpfr_add(moved, moved, part, MPFR_RNDU);
  mpfr_mul_2si(moved, moved, -52, MPFR_RNDU);
  mpfr_set(d->re, re, MPFR_RNDN);
  mpfr_set(d->im, im, MPFR_RNDN);
  mpfr_add(d->radius, radius, moved, MPFR_RNDU);
  mpfr_clears(moved, part, (mpfr_ptr)0);
}

/* x becomes the nearest double; the radius grows by what that moves and, as above, by what its 17 digits move it. */
static bool move_to_double(mpfr_ptr x, mpfr_ptr radius) {
  const double rounded = mpfr_get_d(x, MPFR_RNDN), nearest = isfinite(rounded) ? rounded : copysign(DBL_MAX, rounded);
  mpfr_t moved;
  if (mpfr_cmp_d(x, nearest) == 0) return false;
  mpfr_init2(moved, 53);
  mpfr_set_d(moved, nearest, MPFR_RNDN);
  mpfr_swap(x, moved);
  mpfr_sub(moved, moved, x, MPFR_RNDA);
  mpfr_abs(moved, moved, MPFR_RNDU);
  mpfr_add(radius, radius, moved, MPFR_RNDU);
  mpfr_abs(moved, x, MPFR_RNDU);
  mpfr_mul_2si(moved, moved, -52, MPFR_RNDU);
  mpfr_add(radius, radius, moved, MPFR_RNDU);
  mpfr_clear(moved);
  return true;
}

bool spectrum_disc_to_doubles(spectrum_disc *d) {
  const bool re = move_to_double(d->re, d->radius), im = move_to_double(d->im, d->radius);
  return re || im;
}

/* Around a's centre. */
void spectrum_disc_join(spectrum_disc *a, const spectrum_disc *b) {
  mpfr_t x, y;
  mpfr_inits2(53, x, y, (mpfr_ptr)0);
  mpfr_sub(x, a->re, b->re, MPFR_RNDA);
  mpfr_sub(y, a->im, b->im, MPFR_RNDA);
  mpfr_hypot(x, x, y, MPFR_RNDU);
  mpfr_add(x, x, b->radius, MPFR_RNDU);
  mpfr_max(a->radius, a->radius, x, MPFR_RNDU);
  a->multiplicity += b->multiplicity;
  mpfr_clears(x, y, (mpfr_ptr)0);
}

/* |a - b| <= r_a + r_b, the distance rounded down and the sum up. */
bool spectrum_disc_meets(const spectrum_disc *a, const spectrum_disc *b) {
  mpfr_t x, y, reach;
  mpfr_inits2(64, x, y, reach, (mpfr_ptr)0);
  mpfr_sub(x, a->re, b->re, MPFR_RNDZ);
  mpfr_sub(y, a->im, b->im, MPFR_RNDZ);
  mpfr_hypot(x, x, y, MPFR_RNDD);
  mpfr_add(reach, a->radius, b->radius, MPFR_RNDU);
  const bool meets = !mpfr_greater_p(x, reach);
  mpfr_clears(x, y, reach, (mpfr_ptr)0);
  return meets;
}

void spectrum_disc_modulus(mpfr_t lo, mpfr_t hi, const spectrum_disc *d) {
  mpfr_hypot(lo, d->re, d->im, MPFR_RNDD);
  mpfr_hypot(hi, d->re, d->im, MPFR_RNDU);
  mpfr_sub(lo, lo, d->radius, MPFR_RNDD);
  mpfr_add(hi, hi, d->radius, MPFR_RNDU);
  if (mpfr_sgn(lo) < 0) mpfr_set_zero(lo, 1);
}
