#include "report/claim.h"

#include "report/number_text.h"

#include <math.h>

#define CLAIM_WHATEVER "nothing is assumed about the layer"

enum { PROBABILITY_SIZE = 256 };

/* Of an upper end from random starts. */
static const char *probability_of(char text[PROBABILITY_SIZE], const attcert_certificate *c) {
  char power[NUMBER_TEXT_SIZE];
  mpfr_t logarithm;
  mpfr_init2(logarithm, 53);
  mpfr_set_d(logarithm, c->failure_log2, MPFR_RNDU);
  snprintf(text, PROBABILITY_SIZE, "the upper ends hold but for an event of probability at most 2^%s over %s;",
           number_text_short(power, logarithm, 6, MPFR_RNDU),
           c->seeded ? "random bits, those of a seed that was not chosen by looking at results"
                     : "random bits of the system");
  mpfr_clear(logarithm);
  return text;
}

void claim_write(fact_writer *f, const attcert_certificate *c) {
  char probability[PROBABILITY_SIZE], claim[1024];
  json_writer *const w = &f->json;
  if (!isfinite(c->failure_log2)) {
    json_write_string(w, "claim", REPORT_CLAIM_NUMBERS " " REPORT_CLAIM_FUNCTION);
    return;
  }
  snprintf(claim, sizeof claim, REPORT_CLAIM_NUMBERS " " REPORT_CLAIM_FUNCTION "; %s " CLAIM_WHATEVER,
           probability_of(probability, c));
  json_write_string(w, "claim", claim);
  json_write_object(w, "probability");
  json_write_double(w, "failure_log2", c->failure_log2, MPFR_RNDU);
  json_write_string(w, "random", c->seeded ? "seed" : "system");
  json_write_close(w);
}

void claim_tell(const fact_writer *f, const attcert_certificate *c) {
  char probability[PROBABILITY_SIZE];
  fact_text(f, "\nclaim      " REPORT_CLAIM_NUMBERS "\n           " REPORT_CLAIM_FUNCTION);
  if (isfinite(c->failure_log2))
    fact_text(f, ";\n           %s\n           " CLAIM_WHATEVER, probability_of(probability, c));
  fact_text(f, ".\n");
}
