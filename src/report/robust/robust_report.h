/* What is known of a network's answer around an input, as text for people or JSON for programs. Both say the same;
 * radii are rounded so that the claim holds: certified ones down, refuted ones up. */
#ifndef ATTCERT_REPORT_ROBUST_ROBUST_REPORT_H
#define ATTCERT_REPORT_ROBUST_ROBUST_REPORT_H

#include "report/fact_writer.h"
#include "report/robust/robust_facts.h"

/* Of robust_facts: all; for `attcert gradient` margin and gradient alone; for `attcert verify` the bound alone. */
report_writer robust_report_write, robust_report_write_gradient, robust_report_write_verified;

#endif
