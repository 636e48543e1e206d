#include "randomized/randomized_start.h"

#include <math.h>
#include <mpfr.h>

/* (hi 2^64 + lo + 1/2) 2^-128: two roundings. */
static double fraction(uint64_t hi, uint64_t lo) {
  return ((double)hi * 0x1p64 + ((double)lo + 0.5)) * 0x1p-128;
}

void randomized_start_pair(double pair[2], const uint64_t word[3]) {
  const bool upper = word[0] >> 63 != 0;
  const double logarithm = upper ? log1p(-fraction(~word[0], ~word[1])) : log(fraction(word[0], word[1]));
  const double radius = sqrt(-2.0 * logarithm);
  const double angle = 0x1.921fb54442d18p+2 * (((double)word[2] + 0.5) * 0x1p-64);
  pair[0] = radius * cos(angle);
  pair[1] = radius * sin(angle);
}

attcert_status randomized_start_draw(double *x, size_t count, randomized_bits *bits, attcert_error *err) {
  enum { PAIRS = 64 };
  uint64_t word[3 * PAIRS];
  for (size_t i = 0; i < count; i += 2 * PAIRS) {
    const attcert_status status = randomized_bits_draw(bits, word, 3 * PAIRS, err);
    if (status != ATTCERT_OK) return status;
    for (size_t p = 0; p < PAIRS; p++) {
      double pair[2];
      randomized_start_pair(pair, word + 3 * p);
      for (size_t half = 0; half < 2; half++) {
        if (i + 2 * p + half < count) x[i + 2 * p + half] = pair[half];
      }
    }
  }
  return ATTCERT_OK;
}

double randomized_failure_log2(double failure) {
  mpfr_t t;
  mpfr_init2(t, 53);
  mpfr_set_d(t, failure, MPFR_RNDD);
  mpfr_log2(t, t, MPFR_RNDD);
  const double logarithm = mpfr_get_d(t, MPFR_RNDD);
  mpfr_clear(t);
  return logarithm;
}

double randomized_start_threshold(double failure_log2, int starts, size_t count) {
  mpfr_t t, s;
  mpfr_inits2(64, t, s, (mpfr_ptr)0);
  mpfr_set_d(t, failure_log2, MPFR_RNDD);
  mpfr_div_si(t, t, starts, MPFR_RNDD);
  mpfr_exp2(t, t, MPFR_RNDD);
  mpfr_set_ui_2exp(s, count, -64, MPFR_RNDU);
  mpfr_sub(t, t, s, MPFR_RNDD);
  mpfr_mul_ui(t, t, 5, MPFR_RNDD); /* / 0.8 */
  mpfr_div_ui(t, t, 4, MPFR_RNDD);
  mpfr_set_ui(s, count, MPFR_RNDU);
  mpfr_sqrt(s, s, MPFR_RNDU);
  mpfr_mul_d(s, s, RANDOMIZED_START_ERROR, MPFR_RNDU);
  mpfr_sub(t, t, s, MPFR_RNDD);
  const double threshold = mpfr_get_d(t, MPFR_RNDD);
  mpfr_clears(t, s, (mpfr_ptr)0);
  return threshold;
}
