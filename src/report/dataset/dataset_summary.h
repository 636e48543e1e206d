/* What a run over a data set came to, as text for people or JSON for programs. */
#ifndef ATTCERT_REPORT_DATASET_DATASET_SUMMARY_H
#define ATTCERT_REPORT_DATASET_DATASET_SUMMARY_H

#include "dataset/dataset.h"
#include "report/dataset/dataset_row.h"
#include "report/fact_writer.h"
#include "report/subject.h"

typedef struct {
  const report_subject *subject;
  const dataset *data;
  double radius;                /* asked about; 0: each input's is searched for */
  const char *ball, *execution; /* kind and arithmetic, by name */
  const char *path;             /* of the rows */
  const dataset_row *row;
  int rows, added;        /* how many there are, of them new */
  const char *incomplete; /* why some inputs have no row; NULL: all have one */
  double seconds;
} dataset_outcome;

/* Of dataset_outcome. Accuracies are parts of all rows: clean, the answer is certainly the label; verified, it is so on
 * a whole ball; attacked, neither the input nor an input of the ball is known to have another answer. */
report_writer dataset_summary_write;

#endif
