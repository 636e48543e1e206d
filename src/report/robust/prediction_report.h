/* The certified answer of a network at an input, as text for people or JSON for programs. Ends are rounded outward. */
#ifndef ATTCERT_REPORT_ROBUST_PREDICTION_REPORT_H
#define ATTCERT_REPORT_ROBUST_PREDICTION_REPORT_H

#include "report/fact_writer.h"
#include "report/subject.h"
#include "robust/network.h"
#include "robust/prediction.h"

typedef struct {
  const report_subject *subject;
  const model_head *head;
  const robust_network *network;
  const robust_prediction *prediction;
  const token_list
      *words; /* of each row its scores' labels and its rival (prediction_words); none: labels are no words */
  double seconds;
} prediction_facts;

/* The labels whose names reports of a prediction tell: of row i its scores' at [i (top + 1) ..], then its rival; free
 * releases them. NULL when out of memory. */
int *prediction_words(int *count, const robust_prediction *prediction, attcert_error *err);

/* Of prediction_facts. */
report_writer prediction_report_write;

#endif
