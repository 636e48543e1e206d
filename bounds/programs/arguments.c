/* See arguments.h. */
#include "arguments.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

attcert_status argument_int(int *value, const char *name, const char *text, int minimum, attcert_error *err) {
  char *end;
  errno = 0;
  const long number = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || number < minimum || number > INT_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "%s: expected an integer from %d up, got '%.40s'", name, minimum, text);
  *value = (int)number;
  return ATTCERT_OK;
}

attcert_status argument_positive(double *value, const char *name, const char *text, attcert_error *err) {
  char *end;
  *value = strtod(text, &end);
  if (end != text && *end == '\0' && *value > 0.0 && isfinite(*value)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: expected a positive number, got '%.40s'", name, text);
}

attcert_status argument_mask(attcert_mask *mask, const char *text, attcert_error *err) {
  *mask = strcmp(text, "causal") == 0 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE;
  if (*mask == ATTCERT_MASK_CAUSAL || strcmp(text, "none") == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "mask: expected none or causal, got '%.40s'", text);
}

int program_end(const char *program, attcert_status status, const attcert_error *err) {
  if (status != ATTCERT_OK) fprintf(stderr, "%s: %s\n", program, err->message);
  return (int)status;
}
