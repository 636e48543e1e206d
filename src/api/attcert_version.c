/* What a program asks of the library itself. */
#include "attcert.h"

const char *attcert_version(void) {
  return ATTCERT_VERSION;
}

void attcert_thread_end(void) {
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}
