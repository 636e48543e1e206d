#include "certify/engine/mpfr_guess.h"

attcert_status mpfr_guess(mpfr_ptr guess, const explicit_gram_guess *better, attcert_error *err) {
  return better->improve(better->context, guess, NULL, err);
}
