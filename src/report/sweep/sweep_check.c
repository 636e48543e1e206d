#include "report/sweep/sweep_check.h"

#include "report/number_text.h"
#include "theory/theory_refuted.h"

#include <float.h>
#include <math.h>

/* The rounding of Lanczos in double, with room to spare. */
static const double ESTIMATE_ROUNDING = 1e-9;

static attcert_status contradiction(const sweep_row *row, attcert_status status, const char *what, mpfr_srcptr value,
                                    const char *limit_name, mpfr_srcptr limit, attcert_error *err) {
  char value_text[NUMBER_TEXT_SIZE], limit_text[NUMBER_TEXT_SIZE];
  return attcert_fail(err, status, "n = %d, sequence %d: the %s %s exceeds %s, which is %s", row->n, row->sequence,
                      what, number_text_end(value_text, value, MPFR_RNDD), limit_name,
                      number_text_end(limit_text, limit, MPFR_RNDU));
}

static attcert_status check_bounds(const sweep_row *row, attcert_error *err) {
  const theory_bound *const refuted = theory_refuted(&row->bounds, row->lower);
  if (refuted == NULL) return ATTCERT_OK;
  return contradiction(row, ATTCERT_NEGATIVE, "certified lower end", row->lower, refuted->id, refuted->value, err);
}

/* Outside the normal range of double the estimate is no number to compare. */
static attcert_status check_estimate(const sweep_row *row, attcert_error *err) {
  if (!(row->estimate >= DBL_MIN) || isinf(row->estimate)) return ATTCERT_OK;
  mpfr_t estimate, limit;
  mpfr_init2(estimate, 53);
  mpfr_init2(limit, 53);
  mpfr_set_d(estimate, row->estimate, MPFR_RNDN);
  mpfr_mul_d(limit, row->upper, 1 + ESTIMATE_ROUNDING, MPFR_RNDU);
  attcert_status status = ATTCERT_OK;
  if (mpfr_greater_p(estimate, limit))
    status = contradiction(row, ATTCERT_NEGATIVE, "estimate", estimate, "the certified upper end", row->upper, err);
  mpfr_clear(limit);
  mpfr_clear(estimate);
  return status;
}

attcert_status sweep_check(const sweep_row *row, attcert_error *err) {
  if (!mpfr_lessequal_p(row->lower, row->upper))
    return contradiction(row, ATTCERT_FAULT, "certified lower end", row->lower, "the certified upper end", row->upper,
                         err);
  const attcert_status status = check_bounds(row, err);
  return status == ATTCERT_OK ? check_estimate(row, err) : status;
}
