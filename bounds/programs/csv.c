/* See csv.h. */
#include "csv.h"

#include "report/number_text.h"

void csv_number(FILE *out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  char text[NUMBER_TEXT_SIZE];
  fprintf(out, ",%s", mpfr_inf_p(x) ? "inf" : number_text_end(text, x, rounding));
}

void csv_ratio(FILE *out, mpfr_srcptr numerator, mpfr_srcptr denominator, mpfr_rnd_t rounding) {
  mpfr_t ratio;
  mpfr_init2(ratio, 53);
  mpfr_div(ratio, numerator, denominator, rounding);
  if (mpfr_nan_p(ratio))
    csv_empty(out);
  else
    csv_number(out, ratio, rounding);
  mpfr_clear(ratio);
}

void csv_text(FILE *out, const char *text) {
  fputc(',', out);
  for (; *text != '\0'; text++) fputc(*text == ',' ? ';' : *text, out);
}

void csv_empty(FILE *out) {
  fputc(',', out);
}
