/* A report's facts, each stated once, for people or for programs: what it says as JSON (json_writer.h), and in which
 * words as text. Of the two only the one that was asked for is written.
 *
 *   fact_writer f;
 *   fact_writer_begin(&f, out, json, "certify");
 *   json_write_integer(&f.json, "precision_bits", 128);       "precision_bits": 128
 *   fact_text(&f, "engine     %s, %d bits\n", "dense", 128);   engine     dense, 128 bits
 *   fact_writer_end(&f);
 */
#ifndef ATTCERT_REPORT_FACT_WRITER_H
#define ATTCERT_REPORT_FACT_WRITER_H

#include "report/json_writer.h"

typedef struct {
  json_writer json; /* writes nothing where the report is text */
  FILE *text;       /* NULL where it is JSON */
} fact_writer;

/* A whole report, of the kind of facts that the writer takes. */
typedef void report_writer(FILE *out, bool json, const void *facts);

/* JSON begins with its schema, attcert/COMMAND/1, and the version; its object stays open to the end. */
void fact_writer_begin(fact_writer *f, FILE *out, bool json, const char *command);
void fact_writer_end(fact_writer *f);

/* Such an object in an array of another report's, until json_write_close. */
void fact_writer_open(fact_writer *f, const char *command);

/* As printf. */
void fact_text(const fact_writer *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The ends of an enclosure, rounded outward, and as they are (53 bits): "lower", "upper", "lower_hex", "upper_hex";
 * LABEL lower <= WHAT <= upper, twice. */
void fact_ends(fact_writer *f, const char *label, const char *what, mpfr_srcptr lower, mpfr_srcptr upper);

#endif
