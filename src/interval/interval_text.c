/* Intervals as text: "[lower, upper]". */
#include "interval/interval_text.h"

#include <stdio.h>

#include "interval/interval_query.h"

/* The part of a buffer still to be written; once it is full, lengths are still counted, as in snprintf. */
typedef struct {
  char *rest;
  size_t size;
  int length; /* of the text so far, cut or not; negative after a failure */
} text_cursor;

static void advance(text_cursor *c, int written) {
  if (c->length < 0 || written < 0) {
    c->length = -1;
    return;
  }
  const size_t step = (size_t)written < c->size ? (size_t)written : c->size;
  if (step > 0) c->rest += step;
  c->size -= step;
  c->length += written;
}

static void write_endpoint(text_cursor *c, mpfr_srcptr x, int digits, mpfr_rnd_t rnd) {
  advance(c, digits > 0 ? mpfr_text_decimal(c->rest, c->size, x, digits, rnd) : mpfr_text_hex(c->rest, c->size, x));
}

/* digits = 0: hex. */
static int write_interval(char *buf, size_t size, const interval *a, int digits) {
  if (interval_is_empty(a)) return snprintf(buf, size, "[empty]");
  if (interval_is_whole(a)) return snprintf(buf, size, "[-inf, inf]");
  text_cursor c = {buf, size, 0};
  advance(&c, snprintf(c.rest, c.size, "["));
  write_endpoint(&c, a->lo, digits, MPFR_RNDD);
  advance(&c, snprintf(c.rest, c.size, ", "));
  write_endpoint(&c, a->hi, digits, MPFR_RNDU);
  advance(&c, snprintf(c.rest, c.size, "]"));
  return c.length;
}

int interval_text_decimal(char *buf, size_t size, const interval *a, int digits) {
  return write_interval(buf, size, a, digits);
}

int interval_text_hex(char *buf, size_t size, const interval *a) {
  return write_interval(buf, size, a, 0);
}
