/* The first line of a data set's file of rows: what the rows answer. */
#ifndef ATTCERT_REPORT_DATASET_DATASET_HEADER_H
#define ATTCERT_REPORT_DATASET_DATASET_HEADER_H

#include "dataset/dataset.h"
#include "report/subject.h"

typedef struct {
  double radius, relative; /* radius 0: searched for, as close as `relative` */
  const char *ball, *execution;
  const char *architecture; /* NULL: the folder's */
  int attack, ulp;
  int token;    /* that is classified; -1: as the head has it */
  bool special; /* tokens are put around a text */
} dataset_question;

/* As row_header_line. */
attcert_status dataset_header_write(char **line, const report_subject *subject, const dataset *data,
                                    const dataset_question *question, attcert_error *err);

#endif
