/* A JSON text, value by value: commas and indentation follow from the open levels. */
#include "report/json_writer.h"

#include "report/number_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <utf8proc.h>

static void new_line(json_writer *w) {
  fprintf(w->out, "\n%*s", 2 * w->depth, "");
}

/* One character of text (bytes long) inside a string; what is not UTF-8 comes as bytes = 1, valid = false. */
static void put_character(FILE *out, const char *text, size_t bytes, bool valid) {
  const unsigned char c = (unsigned char)*text;
  if (!valid)
    fputs("\\ufffd", out);
  else if (c == '"' || c == '\\')
    fprintf(out, "\\%c", c);
  else if (c < 0x20 || c == 0x7f)
    fprintf(out, "\\u%04x", (unsigned)c);
  else
    fwrite(text, 1, bytes, out);
}

static void put_string(FILE *out, const char *text) {
  size_t left = strlen(text);
  fputc('"', out);
  while (left > 0) {
    utf8proc_int32_t code;
    const utf8proc_ssize_t bytes = utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)left, &code);
    const size_t step = bytes > 0 ? (size_t)bytes : 1;
    put_character(out, text, step, bytes > 0);
    text += step;
    left -= step;
  }
  fputc('"', out);
}

/* What comes before a value: a comma after the one before it, its line, its key. False where nothing is written. */
static bool begin_value(json_writer *w, const char *key) {
  if (w->out == NULL) return false;
  if (w->depth > 0) {
    if (!w->empty) fputc(',', w->out);
    new_line(w);
  }
  w->empty = false;
  if (key == NULL) return true;
  put_string(w->out, key);
  fputs(": ", w->out);
  return true;
}

void json_writer_begin(json_writer *w, FILE *out) {
  *w = (json_writer){.out = out, .empty = true};
}

void json_writer_end(json_writer *w) {
  assert(w->depth == 0);
  if (w->out != NULL) fputc('\n', w->out);
}

static void open_level(json_writer *w, const char *key, char open, char close) {
  assert(w->depth < JSON_MAX_DEPTH);
  if (!begin_value(w, key)) return;
  fputc(open, w->out);
  w->close[w->depth++] = close;
  w->empty = true;
}

void json_write_object(json_writer *w, const char *key) {
  open_level(w, key, '{', '}');
}

void json_write_array(json_writer *w, const char *key) {
  open_level(w, key, '[', ']');
}

void json_write_close(json_writer *w) {
  if (w->out == NULL) return;
  assert(w->depth > 0);
  w->depth--;
  if (!w->empty) new_line(w);
  fputc(w->close[w->depth], w->out);
  w->empty = false;
}

void json_write_string(json_writer *w, const char *key, const char *text) {
  if (!begin_value(w, key)) return;
  if (text == NULL)
    fputs("null", w->out);
  else
    put_string(w->out, text);
}

void json_write_bool(json_writer *w, const char *key, bool value) {
  if (!begin_value(w, key)) return;
  fputs(value ? "true" : "false", w->out);
}

void json_write_integer(json_writer *w, const char *key, uint64_t value) {
  if (!begin_value(w, key)) return;
  fprintf(w->out, "%" PRIu64, value);
}

void json_write_null(json_writer *w, const char *key) {
  if (!begin_value(w, key)) return;
  fputs("null", w->out);
}

void json_write_index(json_writer *w, const char *key, int i) {
  if (i < 0)
    json_write_null(w, key);
  else
    json_write_integer(w, key, (uint64_t)i);
}

void json_write_real(json_writer *w, const char *key, mpfr_srcptr x, mpfr_rnd_t rounding) {
  char text[NUMBER_TEXT_SIZE];
  if (!begin_value(w, key)) return;
  fputs(mpfr_number_p(x) ? number_text_end(text, x, rounding) : "null", w->out);
}

void json_write_double(json_writer *w, const char *key, double x, mpfr_rnd_t rounding) {
  char text[NUMBER_TEXT_SIZE];
  if (!begin_value(w, key)) return;
  fputs(isfinite(x) ? number_text_double(text, x, NUMBER_TEXT_DIGITS, rounding) : "null", w->out);
}
