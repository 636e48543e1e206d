/* What a question about a ball would take, as text or JSON: norm, memory, what is merged, an estimate of the time. */
#ifndef ATTCERT_REPORT_ROBUST_ROBUST_PLAN_REPORT_H
#define ATTCERT_REPORT_ROBUST_ROBUST_PLAN_REPORT_H

#include "report/fact_writer.h"
#include "report/robust/robust_facts.h"

/* Of robust_facts whose verdict has a bound with a plan, and nothing else. */
report_writer robust_plan_report_write;

#endif
