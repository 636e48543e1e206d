/* The verdict on an estimate v given in decimal, against [lower, upper] of 53-bit ends. With
 * v_lo = RD(v) <= v <= v_hi = RU(v) at 53 bits, v > upper iff v_hi > upper and v < lower iff v_lo < lower: rounding is
 * monotone and keeps 53-bit numbers. So the verdict is exact although v is not. */
#include "report/estimate_check.h"

#include "report/number_text.h"

#include <ctype.h>
#include <string.h>

static void each_number(estimate_check *check, void (*apply)(mpfr_ptr)) {
  const mpfr_ptr numbers[] = {check->value_lo, check->value_hi, check->gap, check->direction_lo, check->direction_hi};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) apply(numbers[i]);
}

static void init_number(mpfr_ptr x) {
  mpfr_init2(x, 53);
  mpfr_set_zero(x, 1);
}

void estimate_check_init(estimate_check *check) {
  *check = (estimate_check){.text = ""};
  each_number(check, init_number);
}

void estimate_check_clear(estimate_check *check) {
  each_number(check, mpfr_clear);
}

attcert_status estimate_check_read(estimate_check *check, const char *text, attcert_error *err) {
  char *end = NULL;
  check->text = text;
  if (!isspace((unsigned char)*text)) {
    mpfr_strtofr(check->value_lo, text, &end, 0, MPFR_RNDD);
    mpfr_strtofr(check->value_hi, text, &end, 0, MPFR_RNDU);
  }
  if (end == NULL || end == text || *end != '\0' || !mpfr_number_p(check->value_lo) ||
      !mpfr_number_p(check->value_hi) || mpfr_sgn(check->value_lo) < 0)
    return attcert_fail(err, ATTCERT_INPUT, "--estimate: expected a finite number >= 0, got '%s'", text);
  return ATTCERT_OK;
}

/* gap = (far - near) / end rounded up, for 0 <= near <= far; a positive distance from 0 is infinite. */
static void relative_gap(mpfr_ptr gap, mpfr_srcptr far, mpfr_srcptr near, mpfr_srcptr end) {
  mpfr_sub(gap, far, near, MPFR_RNDU);
  mpfr_div(gap, gap, end, MPFR_RNDU);
}

/* The value of a decimal text with far more bits than its comparison with another takes. */
static void read_decimal(mpfr_ptr x, const char *text) {
  mpfr_strtofr(x, text, NULL, 10, MPFR_RNDN);
}

/* From the first digit that is not 0 to the last one. */
static int significant_digits(const char *text) {
  int digits = 0, zeros = 0;
  for (; *text != '\0' && *text != 'e' && *text != 'E'; text++) {
    if (!isdigit((unsigned char)*text)) continue;
    if (*text == '0') {
      zeros += digits > 0;
    } else {
      digits += zeros + 1;
      zeros = 0;
    }
  }
  return digits;
}

/* Whether the value is the decimal that the end which it lies beyond is printed as. No other number between the two is:
 * nobody read it in a report. */
static bool is_printed_end(const char *text, mpfr_srcptr end, mpfr_rnd_t outward) {
  enum { BITS = 512 };
  char buf[NUMBER_TEXT_SIZE];
  mpfr_t value, printed;
  if (strpbrk(text, "xX") != NULL || significant_digits(text) > NUMBER_TEXT_DIGITS) return false;
  mpfr_inits2(BITS, value, printed, (mpfr_ptr)0);
  read_decimal(value, text);
  read_decimal(printed, number_text_end(buf, end, outward));
  const bool equal = mpfr_equal_p(value, printed) != 0;
  mpfr_clears(value, printed, (mpfr_ptr)0);
  return equal;
}

void estimate_check_judge(estimate_check *check, mpfr_srcptr lower, mpfr_srcptr upper, double slack) {
  check->slack = slack;
  check->explains = NULL;
  check->printed = false;
  check->verdict = ESTIMATE_INSIDE;
  mpfr_set_zero(check->gap, 1);
  if (mpfr_greater_p(check->value_hi, upper)) {
    check->verdict = ESTIMATE_ABOVE;
    relative_gap(check->gap, check->value_hi, upper, upper);
    check->printed = is_printed_end(check->text, upper, MPFR_RNDU);
  } else if (mpfr_less_p(check->value_lo, lower)) {
    check->verdict = ESTIMATE_BELOW;
    relative_gap(check->gap, lower, check->value_lo, lower);
    check->printed = is_printed_end(check->text, lower, MPFR_RNDD);
  }
  check->consistent = check->verdict == ESTIMATE_INSIDE || check->printed || mpfr_cmp_d(check->gap, slack) <= 0;
}

void estimate_check_explain(estimate_check *check, const double rounding[FLOAT_FORMATS]) {
  if (check->verdict == ESTIMATE_INSIDE || check->printed) return;
  for (int i = 0; i < FLOAT_FORMATS && check->explains == NULL; i++) {
    if (mpfr_cmp_d(check->gap, rounding[i]) > 0) continue;
    check->explains = &float_formats[i];
    check->rounding = rounding[i];
  }
}

const char *estimate_check_verdict_name(estimate_verdict verdict) {
  static const char *const names[] = {"inside", "below", "above"};
  return names[verdict];
}
