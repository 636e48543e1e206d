/* Ends that are no enclosure never leave: they are taken back, with a status of their own. */
#include "certify/certificate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void set(attcert_certificate *c, const char *lower, const char *upper) {
  mpfr_set_str(c->lower, lower, 0, MPFR_RNDN);
  mpfr_set_str(c->upper, upper, 0, MPFR_RNDN);
}

static void enclosures_are_told_apart(void **state) {
  (void)state;
  static const struct {
    const char *lower, *upper;
    bool enclosure;
  } ends[] = {{"0", "0", true},           {"0", "inf", true},          {"1", "1", true},
              {"1e-400", "1e+400", true}, {"1.058", "5.7e-10", false}, {"0x1.0000000000001p0", "1", false},
              {"nan", "1", false},        {"0", "nan", false},         {"inf", "inf", false}};
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    attcert_certificate c;
    attcert_certificate_init(&c);
    set(&c, ends[i].lower, ends[i].upper);
    assert_int_equal(certificate_is_enclosure(&c), ends[i].enclosure);
    attcert_certificate_clear(&c);
  }
}

static void others_are_taken_back(void **state) {
  (void)state;
  attcert_certificate c;
  attcert_error err = {0};
  attcert_certificate_init(&c);
  set(&c, "2", "1");
  assert_int_equal(certificate_refuse(&c, &err), ATTCERT_FAULT);
  assert_int_equal(err.status, ATTCERT_FAULT);
  assert_non_null(strstr(err.message, "lower end 2 and the upper end 1"));
  assert_true(mpfr_zero_p(c.lower) && mpfr_inf_p(c.upper));
  attcert_certificate_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(enclosures_are_told_apart),
      cmocka_unit_test(others_are_taken_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
