/* What is known of one input of a data set, as a row of its file: index, label, predicted, verdict, radius_certified,
 * radius_refuted, margin, seconds, error. Radii and the margin are rounded so that the claim holds. */
#ifndef ATTCERT_REPORT_DATASET_DATASET_ROW_H
#define ATTCERT_REPORT_DATASET_DATASET_ROW_H

#include "attcert.h"

#include <stdio.h>

typedef enum {
  DATASET_CERTIFIED, /* no input of the ball has another answer than the label */
  DATASET_REFUTED,   /* one has, and the input itself has not */
  DATASET_UNKNOWN,
  DATASET_WRONG, /* the input's own answer is another one */
  DATASET_ERROR, /* the input could not be read */
  DATASET_VERDICTS
} dataset_verdict;

typedef struct {
  int index;     /* of the input, from 0 */
  int label;     /* -1: not known */
  int predicted; /* the answer at the input, where it is certain; -1: it is not */
  dataset_verdict verdict;
  double certified, refuted; /* radii; 0 and infinity: none */
  /* A lower end: over the ball of the certified radius, or of the smallest that was tried in vain (unknown), at the
   * input that flips (refuted), at the input (wrong). Not finite: none. */
  double margin;
  double seconds;
  char error[sizeof((attcert_error *)NULL)->message];
} dataset_row;

const char *dataset_verdict_name(dataset_verdict verdict);

void dataset_row_write_names(FILE *out);
void dataset_row_write(FILE *out, const dataset_row *row);

/* where: "rows.csv: line 3", of messages. Errors: ATTCERT_INPUT (a line that is none of dataset_row_write's),
 * ATTCERT_RESOURCE. */
attcert_status dataset_row_read(dataset_row *row, const char *line, const char *where, attcert_error *err);

#endif
