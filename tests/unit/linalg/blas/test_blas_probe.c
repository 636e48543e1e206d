/* A right library passes the probe, again and again. tests/fault has the wrong ones. */
#include "linalg/blas/blas_probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_right_library_passes(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) {
    attcert_error err = {0};
    if (blas_probe(&err) != ATTCERT_OK) fail_msg("%s", err.message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_right_library_passes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
