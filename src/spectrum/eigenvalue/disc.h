/* Discs of the complex plane that hold eigenvalues. */
#ifndef ATTCERT_SPECTRUM_EIGENVALUE_DISC_H
#define ATTCERT_SPECTRUM_EIGENVALUE_DISC_H

#include <mpfr.h>
#include <stdbool.h>

/* |z - (re + i im)| <= radius holds exactly `multiplicity` eigenvalues, counted as roots of the characteristic
 * polynomial. 53 bits each; the radius has room for printing re and im with 17 decimal digits, to nearest. */
typedef struct {
  mpfr_t re, im, radius;
  int multiplicity;
} spectrum_disc;

void spectrum_disc_init(spectrum_disc *d); /* the number 0, no multiplicity */
void spectrum_disc_clear(spectrum_disc *d);
void spectrum_disc_set(spectrum_disc *d, const spectrum_disc *from);

/* The disc around (re, im), of any precision, rounded to d's, with what that moves added to the radius. */
void spectrum_disc_set_rounded(spectrum_disc *d, mpfr_srcptr re, mpfr_srcptr im, mpfr_srcptr radius);

/* Whether they may share a point; false is certain. */
bool spectrum_disc_meets(const spectrum_disc *a, const spectrum_disc *b);

/* lo <= |z| <= hi for all z of the disc. */
void spectrum_disc_modulus(mpfr_t lo, mpfr_t hi, const spectrum_disc *d);

#endif
