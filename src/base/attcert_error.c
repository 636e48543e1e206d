/* The error that a call reports: a status and one line. */
#include "attcert.h"

#include <stdarg.h>
#include <stdio.h>

/* Names from files end up in messages; a newline or an escape sequence in one must not leave the line or reach a
 * terminal. */
static void replace_control_characters(char *text) {
  for (; *text != '\0'; text++) {
    if ((unsigned char)*text < ' ' || *text == 0x7f) *text = '?';
  }
}

attcert_status attcert_fail(attcert_error *err, attcert_status status, const char *format, ...) {
  if (err != NULL) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    replace_control_characters(err->message);
    err->status = status;
  }
  return status;
}
