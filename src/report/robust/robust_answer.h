/* Whose answer a report is about: the head, the token that it looks at, its labels by number and name. */
#ifndef ATTCERT_REPORT_ROBUST_ROBUST_ANSWER_H
#define ATTCERT_REPORT_ROBUST_ROBUST_ANSWER_H

#include "report/fact_writer.h"
#include "report/robust/robust_facts.h"

/* "head", "token", "label", "label_name", "rival", "rival_name"; multi-label also "answer", a label each. As text the
 * lines "head" and "label" (multi-label: "signs"). */
void robust_answer_write(fact_writer *f, const robust_facts *r);

/* What has changed at the counterexample; the end of its line. */
void robust_answer_write_refuted(fact_writer *f, const robust_facts *r);

#endif
