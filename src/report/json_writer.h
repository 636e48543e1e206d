/* Writes one JSON text (RFC 8259) to a stream, indented, value by value. A library that holds numbers as doubles cannot
 * do it: the ends of an enclosure are doubles rounded outward, then decimals that are, possibly beyond the range of
 * double.
 *
 *   json_writer w;
 *   json_writer_begin(&w, out);
 *   json_write_object(&w, NULL);                 {
 *   json_write_string(&w, "engine", "dense");      "engine": "dense"
 *   json_write_close(&w);                        }
 *   json_writer_end(&w);
 *
 * key is NULL in arrays and at the top level. A writer whose stream is NULL writes nothing. */
#ifndef ATTCERT_REPORT_JSON_WRITER_H
#define ATTCERT_REPORT_JSON_WRITER_H

#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_MAX_DEPTH = 16 };

typedef struct {
  FILE *out;
  int depth;
  char close[JSON_MAX_DEPTH]; /* '}' or ']' of each open level */
  bool empty;                 /* nothing written yet at this level */
} json_writer;

void json_writer_begin(json_writer *w, FILE *out);
void json_writer_end(json_writer *w);

void json_write_object(json_writer *w, const char *key);
void json_write_array(json_writer *w, const char *key);
void json_write_close(json_writer *w);

/* text is escaped; bytes that are not UTF-8 (file names may hold them) become U+FFFD. NULL is written as null. */
void json_write_string(json_writer *w, const char *key, const char *text);
void json_write_bool(json_writer *w, const char *key, bool value);
void json_write_integer(json_writer *w, const char *key, uint64_t value);
void json_write_null(json_writer *w, const char *key);

/* An index from 0; null below that: none. */
void json_write_index(json_writer *w, const char *key, int i);

/* An end, rounded so that its text and the double that a reader makes of it are on its side (number_text_end); null
 * when x is not a number JSON can hold (infinite or NaN). */
void json_write_real(json_writer *w, const char *key, mpfr_srcptr x, mpfr_rnd_t rounding);

/* The same for a double; to nearest, it is read as it is. */
void json_write_double(json_writer *w, const char *key, double x, mpfr_rnd_t rounding);

#endif
