#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "enclosure_verdict.h"

const char *verdict_name(verdict v) {
  static const char *const names[] = {"holds", "too wide", "MISS", "failed"};
  return names[v];
}

void truth_init(norm_oracle *truth, const layer_case *c) {
  norm_oracle_init(truth, &c->layer, &c->x, c->norm_is_zero ? 256 : 8192);
  if (!c->norm_is_zero) return;
  arf_zero(truth->lower);
  arf_zero(truth->upper);
  truth->tight = true;
}

double enclosure_width(mpfr_srcptr lower, mpfr_srcptr upper) {
  if (mpfr_zero_p(upper)) return 0;
  mpfr_t width;
  mpfr_init2(width, 53);
  mpfr_sub(width, upper, lower, MPFR_RNDU);
  mpfr_div(width, width, upper, MPFR_RNDU);
  const double rounded = mpfr_get_d(width, MPFR_RNDU);
  mpfr_clear(width);
  return rounded;
}

void assert_upper_of_truth(mpfr_srcptr upper, const norm_oracle *truth, unsigned long reciprocal, const char *name) {
  arf_t value, limit;
  assert_true(mpfr_number_p(upper));
  arf_init(value);
  arf_init(limit);
  arf_set_mpfr(value, upper);
  if (arf_cmp(value, truth->lower) < 0) fail_msg("%s: below the truth", name);
  arf_mul_ui(limit, truth->upper, reciprocal + 1, 53, ARF_RND_UP);
  arf_mul_ui(value, value, reciprocal, ARF_PREC_EXACT, ARF_RND_UP);
  if (reciprocal > 0 && arf_cmp(value, limit) > 0) fail_msg("%s: wider than 1 in %lu", name, reciprocal);
  arf_clear(value);
  arf_clear(limit);
}

double promised_width(attcert_engine engine) {
  switch (engine) {
  case ATTCERT_ENGINE_MPFR:
    return 1e-12;
  case ATTCERT_ENGINE_DENSE:
  case ATTCERT_ENGINE_AUTO:
    return 1e-10;
  case ATTCERT_ENGINE_DEFLATED:
  case ATTCERT_ENGINE_POINTWISE:
  case ATTCERT_ENGINE_RANDOM:
  case ATTCERT_ENGINE_FROBENIUS:
    return INFINITY;
  }
  return 0;
}

/* Both ends numbers, and some number is in the enclosure as well as in the oracle's. */
static bool contains_truth(const attcert_certificate *c, const norm_oracle *truth) {
  if (mpfr_nan_p(c->lower) || mpfr_nan_p(c->upper) || mpfr_cmp(c->lower, c->upper) > 0) return false;
  arf_t lower, upper;
  arf_init(lower);
  arf_init(upper);
  arf_set_mpfr(lower, c->lower);
  arf_set_mpfr(upper, c->upper);
  const bool contains = arf_cmp(upper, truth->lower) >= 0 && arf_cmp(lower, truth->upper) <= 0;
  arf_clear(lower);
  arf_clear(upper);
  return contains;
}

/* The reported width is the true one, but for rounding upwards. */
static bool reports_width(const attcert_certificate *c) {
  const double width = enclosure_width(c->lower, c->upper);
  return c->relative_width >= width * (1 - 0x1p-50) && c->relative_width <= width * (1 + 0x1p-50);
}

/* The estimate is a number that the enclosure does not refute from above. */
static bool reports_estimate(const attcert_certificate *c) {
  return !isnan(c->estimate) && mpfr_cmp_d(c->upper, c->estimate) >= 0;
}

static bool is_zero(const norm_oracle *truth) {
  return arf_is_zero(truth->upper);
}

verdict enclosure_verdict(const attcert_certificate *certificate, attcert_engine asked, const norm_oracle *truth) {
  if (!contains_truth(certificate, truth)) return VERDICT_MISS;
  if (!reports_width(certificate) || !reports_estimate(certificate)) return VERDICT_FAILED;
  const bool narrow = enclosure_width(certificate->lower, certificate->upper) <= promised_width(asked);
  return narrow || is_zero(truth) || !truth->tight ? VERDICT_HOLDS : VERDICT_WIDE;
}

void enclosure_tally_count(enclosure_tally *tally, verdict v, const attcert_certificate *certificate,
                           const norm_oracle *truth) {
  tally->cases++;
  tally->wide += v == VERDICT_WIDE;
  tally->misses += v == VERDICT_MISS;
  tally->failed += v == VERDICT_FAILED;
  if (v <= VERDICT_WIDE && !is_zero(truth) && truth->tight)
    tally->widest = fmax(tally->widest, enclosure_width(certificate->lower, certificate->upper));
}

void enclosure_tally_add(enclosure_tally *sum, const enclosure_tally *part) {
  sum->cases += part->cases;
  sum->wide += part->wide;
  sum->misses += part->misses;
  sum->failed += part->failed;
  sum->widest = fmax(sum->widest, part->widest);
}
