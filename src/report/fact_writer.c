#include "report/fact_writer.h"

#include "attcert.h"
#include "report/number_text.h"

#include <stdarg.h>

void fact_writer_begin(fact_writer *f, FILE *out, bool json, const char *command) {
  f->text = json ? NULL : out;
  json_writer_begin(&f->json, json ? out : NULL);
  fact_writer_open(f, command);
}

void fact_writer_open(fact_writer *f, const char *command) {
  char schema[64];
  snprintf(schema, sizeof schema, "attcert/%s/1", command);
  json_write_object(&f->json, NULL);
  json_write_string(&f->json, "schema", schema);
  json_write_string(&f->json, "version", ATTCERT_VERSION);
}

void fact_writer_end(fact_writer *f) {
  json_write_close(&f->json);
  json_writer_end(&f->json);
}

void fact_text(const fact_writer *f, const char *format, ...) {
  if (f->text == NULL) return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(f->text, format, arguments);
  va_end(arguments);
}

void fact_ends(fact_writer *f, const char *label, const char *what, mpfr_srcptr lower, mpfr_srcptr upper) {
  char low[NUMBER_TEXT_SIZE], high[NUMBER_TEXT_SIZE];
  json_write_real(&f->json, "lower", lower, MPFR_RNDD);
  json_write_real(&f->json, "upper", upper, MPFR_RNDU);
  fact_text(f, "%-10s %s <= %s <= %s\n", label, number_text_end(low, lower, MPFR_RNDD), what,
            number_text_end(high, upper, MPFR_RNDU));
  number_text_hex(low, lower);
  number_text_hex(high, upper);
  json_write_string(&f->json, "lower_hex", low);
  json_write_string(&f->json, "upper_hex", high);
  fact_text(f, "hexadecimal %s <= %s <= %s\n", low, what, high);
}
