/* Verdicts on estimates: exact at the ends of the enclosure, whatever the decimal. */
#include "report/estimate_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* The verdict on text against [lower, upper], both read as hexadecimal or decimal numbers of 53 bits. */
static estimate_verdict verdict_on(const char *text, const char *lower, const char *upper, double slack,
                                   bool *consistent) {
  estimate_check check;
  mpfr_t lo, hi;
  mpfr_inits2(53, lo, hi, (mpfr_ptr)NULL);
  mpfr_strtofr(lo, lower, NULL, 0, MPFR_RNDN);
  mpfr_strtofr(hi, upper, NULL, 0, MPFR_RNDN);
  estimate_check_init(&check);
  assert_int_equal(estimate_check_read(&check, text, NULL), ATTCERT_OK);
  estimate_check_judge(&check, lo, hi, slack);
  const estimate_verdict verdict = check.verdict;
  if (consistent != NULL) *consistent = check.consistent;
  assert_int_equal(mpfr_zero_p(check.gap) != 0, verdict == ESTIMATE_INSIDE);
  estimate_check_clear(&check);
  mpfr_clears(lo, hi, (mpfr_ptr)NULL);
  return verdict;
}

static void test_ends(void **state) {
  (void)state;
  static const struct {
    const char *text, *lower, *upper;
    estimate_verdict verdict;
  } cases[] = {
      {"1", "1", "2", ESTIMATE_INSIDE},
      {"2", "1", "2", ESTIMATE_INSIDE},
      {"1.5", "1", "2", ESTIMATE_INSIDE},
      {"0x1.8p+0", "1", "2", ESTIMATE_INSIDE},
      {"2.0000000000000000000000000000000000000001", "1", "2", ESTIMATE_ABOVE},
      {"0.9999999999999999999999999999999999999999", "1", "2", ESTIMATE_BELOW},
      {"1.0000000000000000000000000000000000000001", "1", "1", ESTIMATE_ABOVE},
      {"0", "0", "0", ESTIMATE_INSIDE},
      {"1e-999999", "0", "0", ESTIMATE_ABOVE},
      {"0", "1e-300", "1", ESTIMATE_BELOW},
      {"1e+500", "1e+400", "1e+600", ESTIMATE_INSIDE},
      {"1e+700", "1e+400", "1e+600", ESTIMATE_ABOVE},
      /* 0.1 as a decimal lies strictly below the double 0.1 and above its predecessor */
      {"0.1", "0x1.999999999999ap-4", "1", ESTIMATE_BELOW},
      {"0.1", "0x1.9999999999999p-4", "0x1.999999999999ap-4", ESTIMATE_INSIDE},
      {"0.1", "0", "0x1.9999999999999p-4", ESTIMATE_ABOVE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_int_equal(verdict_on(cases[i].text, cases[i].lower, cases[i].upper, 0, NULL), cases[i].verdict);
}

static void test_slack(void **state) {
  (void)state;
  bool consistent;
  assert_int_equal(verdict_on("2.002", "1", "2", 0, &consistent), ESTIMATE_ABOVE);
  assert_false(consistent);
  assert_int_equal(verdict_on("2.002", "1", "2", 2e-3, &consistent), ESTIMATE_ABOVE);
  assert_true(consistent);
  assert_int_equal(verdict_on("2.002", "1", "2", 0.9e-3, &consistent), ESTIMATE_ABOVE);
  assert_false(consistent);
  assert_int_equal(verdict_on("0.999", "1", "2", 1.1e-3, &consistent), ESTIMATE_BELOW);
  assert_true(consistent);
  assert_int_equal(verdict_on("1e-9", "0", "0", 0.5, &consistent), ESTIMATE_ABOVE); /* infinitely far, relatively */
  assert_false(consistent);
}

/* The double nearest the square root of 2 is 1.41421356237309514547...: printed outward, it ends in ...52 or ...51. */
static void test_printed_ends(void **state) {
  (void)state;
  static const char root[] = "0x1.6a09e667f3bcdp+0";
  static const struct {
    const char *text, *lower, *upper;
    estimate_verdict verdict;
    bool consistent;
  } cases[] = {
      {"1.4142135623730952", "1", root, ESTIMATE_ABOVE, true},
      {"14142135623730952e-16", "1", root, ESTIMATE_ABOVE, true},
      {"0001.414213562373095200", "1", root, ESTIMATE_ABOVE, true},
      {"1.41421356237309515", "1", root, ESTIMATE_ABOVE, false},
      {"1.4142135623730951999999", "1", root, ESTIMATE_ABOVE, false},
      {"1.4142135623730953", "1", root, ESTIMATE_ABOVE, false},
      {"1.4142135623730951", root, "2", ESTIMATE_BELOW, true},
      {"1.41421356237309513", root, "2", ESTIMATE_BELOW, false},
      {"1.4142135623730950", root, "2", ESTIMATE_BELOW, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    bool consistent;
    assert_int_equal(verdict_on(cases[i].text, cases[i].lower, cases[i].upper, 0, &consistent), cases[i].verdict);
    if (consistent != cases[i].consistent) fail_msg("'%s' was taken for another number", cases[i].text);
  }
}

static void test_bad_values(void **state) {
  (void)state;
  static const char *const cases[] = {"", " 1", "1 ", "x", "1x", "-1", "-1e-300", "inf", "nan", "-inf", "1e", "@inf@"};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    estimate_check check;
    attcert_error err;
    estimate_check_init(&check);
    if (estimate_check_read(&check, cases[i], &err) != ATTCERT_INPUT) fail_msg("'%s' was read", cases[i]);
    assert_non_null(strstr(err.message, "--estimate"));
    estimate_check_clear(&check);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_slack),
      cmocka_unit_test(test_printed_ends),
      cmocka_unit_test(test_bad_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
