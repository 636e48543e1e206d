/* The reports of one layer at several inputs, one after the other: text with an empty line between them, or one JSON
 * text, schema attcert/certify-inputs/1, with what `certify` says of each in its "results". */
#ifndef ATTCERT_REPORT_REPORT_LIST_H
#define ATTCERT_REPORT_REPORT_LIST_H

#include "report/report.h"

typedef struct {
  fact_writer f;
  int asked, told; /* inputs */
} report_list;

void report_list_begin(report_list *l, FILE *out, bool json, int asked);
void report_list_add(report_list *l, const report *r);

/* In place of a report: there is none of this input, and why. */
void report_list_add_failure(report_list *l, const char *input, const char *reason);

/* incomplete: why not all inputs are told of; NULL: they are. */
void report_list_end(report_list *l, const char *incomplete);

#endif
