/* Whose answer a report is about, as text and as JSON: the head, the token that it looks at, its labels by number and
 * name. */
#ifndef ATTCERT_REPORT_ROBUST_ROBUST_ANSWER_H
#define ATTCERT_REPORT_ROBUST_ROBUST_ANSWER_H

#include "report/json_writer.h"
#include "report/robust/robust_report.h"

/* The lines "head" and "label" (multi-label: "signs"). */
void robust_answer_text(FILE *out, const robust_report *r);

/* "head", "token", "label", "label_name", "rival", "rival_name"; multi-label also "answer", a label each. */
void robust_answer_json(json_writer *w, const robust_report *r);

/* What has changed at the counterexample. */
void robust_answer_refuted_text(FILE *out, const robust_report *r);
void robust_answer_refuted_json(json_writer *w, const robust_report *r);

#endif
