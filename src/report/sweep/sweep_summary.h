/* What a sweep found, in a few lines. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_SUMMARY_H
#define ATTCERT_REPORT_SWEEP_SWEEP_SUMMARY_H

#include "report/subject.h"
#include "report/sweep/sweep_file.h"

/* added: rows of the file that this run computed. bounds: whether they were set beside the theory. */
void sweep_summary(FILE *out, const report_subject *subject, const sweep_file *file, int added, bool bounds);

#endif
