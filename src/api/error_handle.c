/* attcert_error as a handle. */
#include "attcert.h"

#include <stdlib.h>

attcert_error *attcert_error_new(void) {
  return calloc(1, sizeof(attcert_error));
}

void attcert_error_free(attcert_error *err) {
  free(err);
}

attcert_status attcert_error_status(const attcert_error *err) {
  return err->status;
}

const char *attcert_error_message(const attcert_error *err) {
  return err->message;
}
