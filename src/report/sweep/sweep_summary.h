/* What a sweep found, in a few lines. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_SUMMARY_H
#define ATTCERT_REPORT_SWEEP_SWEEP_SUMMARY_H

#include "report/fact_writer.h"
#include "report/subject.h"
#include "report/sweep/sweep_file.h"

typedef struct {
  const report_subject *subject;
  const sweep_file *file;
  int added;   /* rows of the file that this run computed */
  bool bounds; /* whether they were set beside the theory */
} sweep_outcome;

report_writer sweep_summary; /* of a sweep_outcome */

#endif
